import type { components, operations } from './generated/openapi.ts';
import type { OperationId } from './generated/operations.ts';

type Schemas = components['schemas'];

/** String unions of a response stay open: a later version of the service may add values. */
type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends readonly (infer Item)[]
    ? Open<Item>[]
    : T extends object
      ? { [Key in keyof T]: Open<T[Key]> }
      : T;

export type { OperationId };

/** What a generation is asked for; `webhookUrl` is added by the overloads of `generate`. */
export interface GenerateParams extends Omit<Schemas['GenerateRequest'], 'stream' | 'webhookUrl'> {}

/** A generation and its outcome. `result` and `usage` are there when `status` is `completed`. */
export interface Generation extends Open<Schemas['Generation']> {}

/** A generation that completed, with its result and usage. */
export interface CompletedGeneration extends Omit<Open<Schemas['CompletedGeneration']>, 'status'> {
  status: 'completed';
}

/**
 * What `job.wait()` resolves with. A result that came by callback has no `createdAt`, `completedAt` or token detail;
 * `client.content.get(requestId)` has.
 */
export interface GenerationResult
  extends Pick<CompletedGeneration, 'requestId' | 'status' | 'model' | 'result' | 'metadata'>,
    Partial<Pick<CompletedGeneration, 'createdAt' | 'completedAt' | 'webhookUrl'>> {
  usage: { totalTokens: number; promptTokens?: number; completionTokens?: number };
}

export interface TokenUsage extends Open<Schemas['TokenUsage']> {}

export interface ApiKey extends Open<Schemas['ApiKey']> {}
/** A new API key: `key` is shown in this answer only. */
export interface ApiKeyWithSecret extends Open<Schemas['ApiKeyWithSecret']> {}
export interface CreateApiKeyRequest extends Readonly<Schemas['CreateApiKeyRequest']> {}
export interface RegenerateApiKeyRequest extends Readonly<Schemas['RegenerateApiKeyRequest']> {}

export interface Webhook extends Open<Schemas['Webhook']> {}
/** A registration with its signing secret, which no later answer repeats. */
export interface WebhookWithSecret extends Open<Schemas['WebhookWithSecret']> {}
export interface CreateWebhookRequest extends Readonly<Schemas['CreateWebhookRequest']> {}
export interface UpdateWebhookRequest extends Readonly<Schemas['UpdateWebhookRequest']> {}
export interface RotateWebhookSecretRequest
  extends Readonly<Schemas['RotateWebhookSecretRequest']> {}
export interface RotateSigningSecretRequest
  extends Readonly<Schemas['RotateSigningSecretRequest']> {}
export interface SigningSecret extends Open<Schemas['SigningSecret']> {}
export interface RotatedSigningSecret extends Open<Schemas['RotatedSigningSecret']> {}
export interface Delivery extends Open<Schemas['Delivery']> {}
export interface RedeliverFailedRequest extends Readonly<Schemas['RedeliverFailedRequest']> {}
export interface RedeliverFailedResult extends Open<Schemas['RedeliverFailedResult']> {}

/** Usage of the organization in the current period, in tokens. */
export interface Usage extends Open<Schemas['Usage']> {}

/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = Readonly<
  NonNullable<operations[Id]['parameters']['query']>
>;

/** A page of a list: `nextCursor` is `null` on the last one. */
export interface Page<Item> {
  readonly data: Item[];
  readonly nextCursor: string | null;
}

type ProblemDocument = Schemas['Problem'];
/** RFC 9457 problem details, as the service sends them. */
export interface Problem extends ProblemDocument {
  /** Each fault of the request, on 422. */
  errors?: FieldError[];
  /** When the quota is whole again, on `quota_exceeded`. */
  resetsAt?: string;
}
/** A fault of one field (`pointer`, a JSON Pointer) or query parameter (`parameter`). */
export type FieldError = Schemas['FieldError'];

type ErrorResponses<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses'] as operations[Id]['responses'][Status] extends {
    content: { 'application/problem+json': unknown };
  }
    ? Status
    : never]: operations[Id]['responses'][Status] extends {
    content: { 'application/problem+json': infer Body };
  }
    ? Body
    : never;
};

/** The statuses of an operation's problems. */
export type ErrorStatus<Id extends OperationId> = keyof ErrorResponses<Id> & number;

/** The problem document of an operation under a status. */
export type ProblemOf<
  Id extends OperationId,
  Status extends ErrorStatus<Id>,
> = ErrorResponses<Id>[Status];

/** What the `RateLimit` and `RateLimit-Policy` headers said. */
export interface RateLimitFacts {
  /** Name of the policy. */
  policy: string;
  /** Requests left in the window. */
  remaining: number;
  /** When the window starts anew. */
  resetsAt: Date;
  /** Requests of a whole window. */
  limit?: number | undefined;
  /** Length of the window in seconds. */
  windowSeconds?: number | undefined;
}
