/** The Lua scripts of the store, each on one key. A delivery's key holds the attempt with the lease, or `done`. */
export const redisScripts = {
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
  /** A kept time has its own key. */
  read: `return tonumber(redis.call('GET', KEYS[1]) or '-1')`,
  raise: `local kept = tonumber(redis.call('GET', KEYS[1]) or '-1')
redis.call('SET', KEYS[1], kept > tonumber(ARGV[1]) and string.format('%.0f', kept) or ARGV[1], 'PX', ARGV[2])
return 1`,
} as const;
