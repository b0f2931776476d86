import type { ApiPromise } from '../core/api-promise.ts';
import type { Caller } from '../core/caller.ts';
import type { CallOptions } from '../options.ts';
import type { Usage } from '../types.ts';

/** Usage and quota of the organization. */
export class UsageResource {
  readonly #call: Caller;
  constructor(call: Caller) {
    this.#call = call;
  }

  /** What was used in this calendar month (UTC), in tokens. */
  get(options?: CallOptions): ApiPromise<Usage> {
    return this.#call('getUsage', options);
  }
}
