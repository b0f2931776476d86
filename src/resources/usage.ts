import type { ApiPromise, Caller } from '../core/caller.ts';
import type { CallOptions } from '../options.ts';
import type { Usage } from '../types.ts';

/** The usage and quota of the organization. */
export interface UsageResource {
  /**
   * Returns the tokens used in the current calendar month (UTC), and the quota. A generation counts when it completes;
   * once the quota is used up, new ones are rejected with `quota_exceeded` until `periodEnd`.
   * @example
   * const { used, quota, periodEnd } = await client.usage.get();
   * console.log(`${used} of ${quota} tokens used. The next period starts at ${periodEnd}.`);
   */
  get(options?: CallOptions): ApiPromise<Usage>;
}

export function createUsage(caller: Caller): UsageResource {
  return {
    get: (options) => caller.call('getUsage', options),
  };
}
