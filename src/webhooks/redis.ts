export type { Claim, Dedupe, DedupeTimes } from './dedupe/dedupe.ts';
export { type RedisDedupeOptions, redisDedupe } from './dedupe/redis.ts';
export type { RedisClient } from './dedupe/redis-commands.ts';
