import { type ContentGenError, isContentGenError } from '../errors.ts';
import type { RateLimitFacts } from '../types.ts';
import { once } from './memoize.ts';
import { requestIdOf } from './parse.ts';
import { parseRateLimit } from './rate-limit.ts';
import type { Answer } from './send.ts';

/** A result with what is known of its answer. */
export interface WithResponse<T> {
  readonly data: T;
  /** Its body was read already. */
  readonly response: Response;
  /** The `X-Request-Id`. */
  readonly requestId: string | undefined;
  /** The key of the logical call; POST only. */
  readonly idempotencyKey: string | undefined;
  /** Whether this is the remembered answer of an earlier request under the same key. */
  readonly replayed: boolean;
  /** How many attempts were made, at least 1. */
  readonly attempts: number;
  /** What the rate limit headers said. */
  readonly rateLimit: RateLimitFacts | undefined;
}

/** A result or the error of it. */
export type SafeResult<T> =
  | { readonly ok: true; readonly value: T; readonly error?: undefined }
  | { readonly ok: false; readonly error: ContentGenError; readonly value?: undefined };

export interface Settled<T> {
  readonly data: T;
  readonly answer: Answer;
}

/**
 * A promise of a result that also tells of its answer. The call is made once, however often and in whatever form it is
 * awaited.
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #run: () => Promise<Settled<T>>;

  /** Starts at once, or with the first `then` when `lazy`. */
  constructor(start: () => Promise<Settled<T>>, lazy = false) {
    super(() => {});
    this.#run = once(start);
    if (!lazy) void this.#run();
  }

  /** The result with its response, request id, idempotency key and rate limit. */
  async withResponse(): Promise<WithResponse<T>> {
    const { data, answer } = await this.#run();
    return { data, ...factsOf(answer) };
  }

  /** Never rejects with an error of the call; misuse still rejects with its `TypeError`. */
  async safe(): Promise<SafeResult<T>> {
    try {
      return { ok: true, value: (await this.#run()).data };
    } catch (error) {
      if (isContentGenError(error)) return { ok: false, error };
      throw error;
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#run().then(
      ({ data }) => (onFulfilled ? onFulfilled(data) : (data as unknown as A)),
      onRejected,
    );
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}

export function factsOf(answer: Answer): Omit<WithResponse<never>, 'data'> {
  const { response, call, attempts } = answer;
  const { headers } = response;
  return {
    response,
    requestId: requestIdOf(response),
    idempotencyKey: call.idempotencyKey,
    replayed: headers.get('idempotency-replayed') === 'true',
    attempts: attempts.length + 1,
    rateLimit: parseRateLimit(headers, Date.now()),
  };
}
