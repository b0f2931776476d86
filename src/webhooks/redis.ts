export type { Claim, Dedupe, DedupeStore, DedupeTimes } from './dedupe/dedupe.ts';
export { type RedisDedupeOptions, redisDedupe } from './dedupe/redis.ts';
export type { RedisClient } from './dedupe/redis-commands.ts';
export {
  type RedisResultsOptions,
  type RedisSubscriber,
  redisResults,
} from './results/redis-results.ts';
export type { ResultEvent, ResultStore } from './results/results.ts';
export type { SharedResults, SharedResultsOptions } from './results/shared-results.ts';
