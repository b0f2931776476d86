export type { Claim, Dedupe, DedupeStore, DedupeTimes } from './dedupe/lease-times.ts';
export { type RedisDedupeOptions, redisDedupe } from './dedupe/redis.ts';
export type { RedisClient } from './dedupe/redis-commands.ts';
