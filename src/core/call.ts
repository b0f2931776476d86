import type { CallOptions, CallStart, ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';

export interface RequestParts {
  readonly url: string;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodyInit | undefined;
}

export interface CallSettings
  extends Pick<CallOptions, 'signal' | 'timeout' | 'deadline' | 'maxRetries'> {
  readonly operation: OperationId | undefined;
  /** Headers with a lower priority than those of the request. */
  readonly defaultHeaders?: Readonly<Record<string, string>> | undefined;
  /** Whether the body of a 2xx response matches the contract; `body` is its JSON value. */
  readonly isValidBody: (body: unknown, text: string) => boolean;
  readonly streamTypes?: RegExp | undefined;
  /** Return responses with an error status instead of throwing, as `client.http` does. */
  readonly returnErrorResponses?: boolean | undefined;
}

export interface Call extends RequestParts, CallSettings {
  readonly options: ResolvedOptions;
  /** POST only. */
  readonly idempotencyKey: string | undefined;
  /** What middleware learns about the call: the same object for all its attempts. */
  readonly start: CallStart;
  readonly credentials: string[];
  /** What no message quotes: these credentials, and the prompt. */
  readonly secrets: () => readonly string[];
  readonly timeout: number;
  readonly deadline: number;
  readonly maxRetries: number;
}
