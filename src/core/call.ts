import type { CallOptions, ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { randomKey } from './runtime.ts';

/** What a call is made of, beside its address, headers and key. */
export interface CallInit {
  /** The client's. */
  readonly options: ResolvedOptions;
  /** The call's own, which stand in for the client's. */
  readonly own: Pick<CallOptions, 'timeout' | 'deadline' | 'maxRetries'>;
  /** Headers that others go before. */
  readonly base?: Readonly<Record<string, string>>;
  readonly operation: OperationId | undefined;
  readonly method: string;
  readonly body?: BodyInit | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * What a success holds: a JSON object, nothing of interest, or an event stream; and for `client.http`, where error
   * statuses are answers too, `any` JSON or none, or the `raw` body.
   */
  readonly expects: 'json' | 'nothing' | 'stream' | 'any' | 'raw';
}

/**
 * One logical call, ready to be sent any number of times, under one idempotency key. openapi-fetch makes it in place of
 * a `Request`, which would cost as much as all the rest.
 */
export class Call implements CallInit {
  declare readonly options: ResolvedOptions;
  declare readonly own: CallInit['own'];
  declare readonly operation: OperationId | undefined;
  declare readonly method: string;
  declare readonly body: BodyInit | undefined;
  declare readonly signal: AbortSignal | undefined;
  declare readonly expects: CallInit['expects'];
  declare readonly url: string;
  declare readonly headers: Readonly<Record<string, string>>;

  constructor(url: string, init: CallInit & { readonly headers: Headers }) {
    const headers = { ...init.base, ...Object.fromEntries(init.headers) };
    if (init.method === 'POST') headers['idempotency-key'] ??= randomKey();
    Object.assign(this, init, { url, headers });
  }

  /** POST only. */
  get idempotencyKey(): string | undefined {
    return this.method === 'POST' ? this.headers['idempotency-key'] : undefined;
  }
}
