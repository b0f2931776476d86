import type { components, operations } from './generated/openapi.ts';
import type { OperationId } from './generated/operations.ts';

type Schemas = components['schemas'];

/** Keeps the string unions of a response open: a later version of the service may add values. */
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

/** The parameters of a generation. The overloads of `generate` add `webhookUrl`. */
export interface GenerateParams extends Omit<Schemas['GenerateRequest'], 'stream' | 'webhookUrl'> {}

/** A generation. It has `result` and `usage` once `status` is `completed`. */
export interface Generation extends Open<Schemas['Generation']> {}

/** A completed generation, with its result and usage. */
export interface CompletedGeneration extends Omit<Open<Schemas['CompletedGeneration']>, 'status'> {
  status: 'completed';
}

/**
 * What `job.wait()` resolves with. A result that arrived by callback lacks `createdAt`, `completedAt` and the prompt and
 * completion tokens; `client.content.get(requestId)` returns them.
 */
export interface GenerationResult
  extends Pick<CompletedGeneration, 'requestId' | 'status' | 'model' | 'result' | 'metadata'>,
    Partial<Pick<CompletedGeneration, 'createdAt' | 'completedAt' | 'webhookUrl'>> {
  usage: { totalTokens: number; promptTokens?: number; completionTokens?: number };
}

/** The tokens that a generation used. */
export interface TokenUsage extends Open<Schemas['TokenUsage']> {}

/** An API key, without the key itself. */
export interface ApiKey extends Open<Schemas['ApiKey']> {}
/** A new API key. `key` is shown only once, in this response. */
export interface ApiKeyWithSecret extends Open<Schemas['ApiKeyWithSecret']> {}
/** The fields of a new API key. */
export interface CreateApiKeyRequest extends Readonly<Schemas['CreateApiKeyRequest']> {}
/** How long the old key stays valid. */
export interface RegenerateApiKeyRequest extends Readonly<Schemas['RegenerateApiKeyRequest']> {}

/** A registration for a system event. */
export interface Webhook extends Open<Schemas['Webhook']> {}
/** A registration with its signing secret, which is shown only once, in this response. */
export interface WebhookWithSecret extends Open<Schemas['WebhookWithSecret']> {}
/** The fields of a new registration. */
export interface CreateWebhookRequest extends Readonly<Schemas['CreateWebhookRequest']> {}
/** The fields of a registration to change. */
export interface UpdateWebhookRequest extends Readonly<Schemas['UpdateWebhookRequest']> {}
/** How long the previous secret of a registration stays valid. */
export interface RotateWebhookSecretRequest
  extends Readonly<Schemas['RotateWebhookSecretRequest']> {}
/** How long the previous secret of the project stays valid. */
export interface RotateSigningSecretRequest
  extends Readonly<Schemas['RotateSigningSecretRequest']> {}
/** The secret that signs result callbacks. */
export interface SigningSecret extends Open<Schemas['SigningSecret']> {}
/** The new secret that signs result callbacks. */
export interface RotatedSigningSecret extends Open<Schemas['RotatedSigningSecret']> {}
/** A delivery of an event or result callback, with its attempts. */
export interface Delivery extends Open<Schemas['Delivery']> {}
/** Which failed deliveries to send again. */
export interface RedeliverFailedRequest extends Readonly<Schemas['RedeliverFailedRequest']> {}
/** How many deliveries will be sent again. */
export interface RedeliverFailedResult extends Open<Schemas['RedeliverFailedResult']> {}

/** Usage of the organization in the current period, in tokens. */
export interface Usage extends Open<Schemas['Usage']> {}

/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = Readonly<
  NonNullable<operations[Id]['parameters']['query']>
>;

/** A page of a list. `nextCursor` is `null` on the last one. */
export interface Page<Item> {
  readonly data: Item[];
  readonly nextCursor: string | null;
}

type ProblemDocument = Schemas['Problem'];
/** RFC 9457 problem details, as the service sends them. */
export interface Problem extends ProblemDocument {
  /** The invalid fields of the request; with status 422. */
  errors?: FieldError[];
  /** When the quota resets; with code `quota_exceeded`. */
  resetsAt?: string;
}
/** What is wrong with a field (`pointer`, a JSON Pointer) or query parameter (`parameter`). */
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

/** The error statuses of an operation. */
export type ErrorStatus<Id extends OperationId> = keyof ErrorResponses<Id> & number;

/** The problem document of an operation with a status. */
export type ProblemOf<
  Id extends OperationId,
  Status extends ErrorStatus<Id>,
> = ErrorResponses<Id>[Status];

/** The content of the `RateLimit` and `RateLimit-Policy` headers. */
export interface RateLimitFacts {
  /** Name of the policy. */
  policy: string;
  /** Requests left in the window. */
  remaining: number;
  /** When the window resets. */
  resetsAt: Date;
  /** Requests allowed per window. */
  limit?: number | undefined;
  /** Length of the window in seconds. */
  windowSeconds?: number | undefined;
}
