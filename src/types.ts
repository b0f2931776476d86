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

/** The fields of a request: read-only, and each optional one may be `undefined`. */
type Input<T> = {
  readonly [Key in keyof T]: undefined extends T[Key] ? T[Key] | undefined : T[Key];
};

/**
 * A second base of the types of requests: TypeScript reports an error in an interface that only renames one base by the
 * base's whole definition.
 */
type Named = Record<never, never>;

/** The parameters of a generation. */
export interface GenerateParams
  extends Input<Omit<Schemas['GenerateRequest'], 'stream' | 'webhookUrl'>>,
    Named {}

/** The parameters of a generation in the background. */
export interface StartParams<Url extends string | undefined = string> extends GenerateParams {
  /** Where the result is posted: an absolute URL, https unless the service allows otherwise. */
  readonly webhookUrl: Url;
}

/** The parameters of a generation; with `webhookUrl` it runs in the background. */
export interface GenerateRequest extends GenerateParams {
  /** Where the result is posted: an absolute URL, https unless the service allows otherwise. */
  readonly webhookUrl?: string | undefined;
}

type WithoutOutcome = Omit<
  Open<Schemas['Generation']>,
  'status' | 'result' | 'usage' | 'error' | 'completedAt'
>;

/** The outcome of a generation; the members that a status does not have are `undefined`. */
interface Outcome {
  /** The generated text; only of a completed generation. */
  result?: undefined;
  /** The tokens that it used; only of a completed generation. */
  usage?: undefined;
  /** Why it failed; only of a failed generation. */
  error?: undefined;
  /** When it ended, RFC 3339. */
  completedAt?: string;
}

/** A generation that is still in progress. */
export interface ProcessingGeneration extends WithoutOutcome, Omit<Outcome, 'completedAt'> {
  /** `processing` becomes `completed`, `failed` or `canceled`. */
  status: 'processing';
  /** Only of a generation that has ended. */
  completedAt?: undefined;
}

/** A completed generation, with its result and usage. */
export interface CompletedGeneration extends WithoutOutcome, Omit<Outcome, 'result' | 'usage'> {
  /** Always `completed`. */
  status: 'completed';
  /** The generated text. */
  result: string;
  /** The tokens that it used. */
  usage: TokenUsage;
}

/** A generation that failed. It does not count as usage. */
export interface FailedGeneration extends WithoutOutcome, Omit<Outcome, 'error'> {
  /** Always `failed`. */
  status: 'failed';
  /** Why it failed. */
  error: Open<Schemas['GenerationError']>;
}

/** A generation that was canceled. It does not count as usage. */
export interface CanceledGeneration extends WithoutOutcome, Outcome {
  /** Always `canceled`. */
  status: 'canceled';
}

/**
 * A generation; `status` says which members it has. A later version of the service can add statuses, so keep a default
 * branch.
 * @example if (generation.status === 'completed') console.log(generation.result);
 */
export type Generation =
  | ProcessingGeneration
  | CompletedGeneration
  | FailedGeneration
  | CanceledGeneration;

/**
 * What `job.wait()` resolves to. A result that arrived by callback lacks `createdAt`, `completedAt` and the prompt and
 * completion tokens; `client.content.get(requestId)` returns them.
 */
export interface GenerationResult
  extends Pick<CompletedGeneration, 'requestId' | 'status' | 'model' | 'result' | 'metadata'>,
    Partial<Pick<CompletedGeneration, 'createdAt' | 'completedAt' | 'webhookUrl'>> {
  /** The tokens that it used; a callback has only their total. */
  usage: Pick<TokenUsage, 'totalTokens'> & Partial<TokenUsage>;
}

/** The tokens that a generation used. */
export interface TokenUsage extends Open<Schemas['TokenUsage']> {}

/** An API key, without the key itself. */
export interface ApiKey extends Open<Schemas['ApiKey']> {}
/** A new API key. `key` is shown only once, in this response. */
export interface ApiKeyWithSecret extends Open<Schemas['ApiKeyWithSecret']> {}
/** The fields of a new API key. */
export interface CreateApiKeyRequest extends Input<Schemas['CreateApiKeyRequest']>, Named {}
/** How long the old key stays valid. */
export interface RegenerateApiKeyRequest extends Input<Schemas['RegenerateApiKeyRequest']>, Named {}

/** A registration for a system event. */
export interface Webhook extends Open<Schemas['Webhook']> {}
/** A registration with its signing secret, which is shown only once, in this response. */
export interface WebhookWithSecret extends Open<Schemas['WebhookWithSecret']> {}
/** The fields of a new registration. */
export interface CreateWebhookRequest extends Input<Schemas['CreateWebhookRequest']>, Named {}
/** The fields of a registration to change. */
export interface UpdateWebhookRequest extends Input<Schemas['UpdateWebhookRequest']>, Named {}
/** How long the previous secret of a registration stays valid. */
export interface RotateWebhookSecretRequest
  extends Input<Schemas['RotateWebhookSecretRequest']>,
    Named {}
/** How long the previous secret of the project stays valid. */
export interface RotateSigningSecretRequest
  extends Input<Schemas['RotateSigningSecretRequest']>,
    Named {}
/** The secret that signs result callbacks. */
export interface SigningSecret extends Open<Schemas['SigningSecret']> {}
/** The new secret that signs result callbacks. */
export interface RotatedSigningSecret extends Open<Schemas['RotatedSigningSecret']> {}
/** A delivery of an event or result callback, with its attempts. */
export interface Delivery extends Open<Schemas['Delivery']> {}
/** Which deliveries to resend. */
export interface RedeliverFailedRequest
  extends Omit<Input<Schemas['RedeliverFailedRequest']>, 'since'> {
  /** Deliveries created at or after this time: a `Date`, or RFC 3339. */
  readonly since: Date | string;
}
/** How many deliveries will be resent. */
export interface RedeliverFailedResult extends Open<Schemas['RedeliverFailedResult']> {}

/** Usage of the organization in the current period, in tokens. */
export interface Usage extends Open<Schemas['Usage']> {}

/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = ListQuery<
  NonNullable<operations[Id]['parameters']['query']>
>;

/** A `cursor` of `null`, as the last page has, starts from the first page. `since` can be a `Date`. */
type ListQuery<Query> = {
  readonly [Key in keyof Query]: Key extends 'cursor'
    ? Query[Key] | null | undefined
    : Key extends 'since'
      ? Query[Key] | Date | undefined
      : Query[Key] | undefined;
};

/** A page of a list. */
export interface Page<Item> {
  /** The items, newest first. */
  readonly data: Item[];
  /** Pass it as `cursor` to get the next page; `null` on the last one. */
  readonly nextCursor: string | null;
  /**
   * Fetches the next page; `undefined` after the last one, without a request. It is not part of the page's JSON.
   * @example const second = await (await client.content.list()).nextPage();
   */
  nextPage(): Promise<Page<Item> | undefined>;
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

/** The problem document that an operation sends with a status. */
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
