import type { ApiPromise, Caller } from '../core/caller.ts';
import type { CallOptions } from '../options.ts';
import type { Usage } from '../types.ts';

/** The usage and quota of the organization. */
export interface UsageResource {
  /**
   * Returns the tokens used in the current calendar month (UTC), and the quota.
   * @example const { used, quota } = await client.usage.get();
   */
  get(options?: CallOptions): ApiPromise<Usage>;
}

export function createUsage(caller: Caller): UsageResource {
  return {
    get: (options) => caller.call('getUsage', options),
  };
}
