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
  /** Whether the body of a success, with its text, is what the contract says. */
  readonly fits: (body: unknown, raw: string) => boolean;
  /** The types of content that are read as a stream. */
  readonly streams?: RegExp | undefined;
  /** Of `client.http`, where error statuses are answers too. */
  readonly plain?: true;
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
  declare readonly fits: CallInit['fits'];
  declare readonly streams: CallInit['streams'];
  declare readonly plain?: true;
  declare readonly url: string;
  declare readonly headers: Readonly<Record<string, string>>;

  /** POST only. */
  declare readonly idempotencyKey?: string;

  constructor(url: string, init: CallInit & { readonly headers: Headers }) {
    const headers = { ...init.base, ...Object.fromEntries(init.headers) };
    if (init.method === 'POST') this.idempotencyKey = headers['idempotency-key'] ||= randomKey();
    Object.assign(this, init, { url, headers });
  }
}
