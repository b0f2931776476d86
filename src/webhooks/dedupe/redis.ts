import { mustBe, type OptionRules } from '../../options/rules.ts';
import { assertOptions } from '../../signing/errors.ts';
import { type DedupeStore, type DedupeTimes, readTimes, timesRules } from './lease-times.ts';
import { type RedisClient, redisCommands } from './redis-commands.ts';

/** Options of {@link redisDedupe}. */
export interface RedisDedupeOptions extends DedupeTimes {
  /** Put before every key. @default 'contentgen:webhook:' */
  readonly prefix?: string;
}

const rules: OptionRules<RedisDedupeOptions> = {
  ...timesRules,
  prefix: mustBe('a string', (prefix) => typeof prefix === 'string'),
};

/**
 * Remembers deliveries in Redis, for any number of processes: one key per delivery, one atomic command or script per
 * step; only the claim of a known delivery takes two. Takes a connected client of node-redis, ioredis, Upstash or Bun.
 * Redis must not evict these keys.
 *
 * @throws WebhookConfigurationError when a time is out of range or the client is not supported.
 * @example
 * redisDedupe(await createClient({ url }).connect())
 */
export function redisDedupe(client: RedisClient, options: RedisDedupeOptions = {}): DedupeStore {
  assertOptions(options, rules);
  const { prefix = 'contentgen:webhook:' } = options;
  const { leaseMs, ttlMs } = readTimes(options);
  const { evaluate, setNew, set } = redisCommands(client);
  const call = async (script: string, key: string, attemptId: string, ms: number) => {
    const result = Number(await evaluate(script, prefix + key, [attemptId, millis(ms)]));
    if (Number.isNaN(result))
      throw new Error('Failed to run a script in Redis: it did not return a number.');
    return result;
  };
  return {
    leaseMs,
    ttlMs,
    async claim(key, attemptId) {
      // A plain SET costs a third of a script, and most deliveries are new.
      if (setNew && String(await setNew(prefix + key, attemptId, millis(leaseMs))) === 'OK')
        return { state: 'claimed' };
      const result = await call(redisScripts.claim, key, attemptId, leaseMs);
      if (result === 0) return { state: 'claimed' };
      return result < 0 ? { state: 'done' } : { state: 'in_flight', leftMs: result };
    },
    async renew(key, attemptId) {
      return (await call(redisScripts.renew, key, attemptId, leaseMs)) === 1;
    },
    async complete(key, attemptId) {
      if (set) await set(prefix + key, 'done', millis(ttlMs));
      else await call(redisScripts.complete, key, attemptId, ttlMs);
    },
    async release(key, attemptId) {
      await call(redisScripts.release, key, attemptId, 0);
    },
    async findFault() {
      const [, policy] =
        /maxmemory_policy:(\S+)/.exec(String(await evaluate(info, prefix, []))) ?? [];
      if (policy === undefined || policy === 'noeviction') return undefined;
      return (
        `Redis evicts keys when its memory is full (maxmemory-policy ${policy}). A delivery whose key is gone is handled ` +
        'again. Set maxmemory-policy to noeviction, or use a Redis of its own.'
      );
    },
    async forget(key) {
      // What release frees is the key that holds this text.
      return (await call(redisScripts.release, key, 'done', 0)) === 1;
    },
  };
}

const info = `return redis.call('INFO', 'memory')`;

/** Redis accepts only whole milliseconds. */
const millis = (ms: number) => `${Math.ceil(ms)}`;

/** The Lua scripts of the store, each on one key. A delivery's key holds the attempt with the lease, or `done`. */
const redisScripts = {
  /** Finds its own attempt if the client repeated the command over a new connection. */
  claim: `local held = redis.call('GET', KEYS[1])
if held == 'done' then return -1 end
if held and held ~= ARGV[1] then return math.max(1, redis.call('PTTL', KEYS[1])) end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 0`,
  renew: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
  complete: `redis.call('SET', KEYS[1], 'done', 'PX', ARGV[2])
return 1`,
  release: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`,
} as const;
