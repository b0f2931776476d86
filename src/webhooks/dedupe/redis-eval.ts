import { kindOf, misconfigured } from '../../signing/errors.ts';

type Call = (...args: never[]) => Promise<unknown>;

/** A client of node-redis (`eval` with an options object), ioredis (`call`), Upstash (`eval` with arrays) or Bun (`send`). */
export type RedisClient =
  | { readonly call: Call }
  | { readonly send: Call }
  | { readonly eval: Call };

/** Runs a Lua script on one key. */
export type Evaluate = (script: string, key: string, args: readonly string[]) => Promise<unknown>;

interface AnyClient {
  call?(command: string, ...args: string[]): Promise<unknown>;
  send?(command: string, args: string[]): Promise<unknown>;
  sendCommand?: unknown;
  eval?(
    script: string,
    keys: readonly string[] | { keys: string[]; arguments: string[] },
    args?: readonly string[],
  ): Promise<unknown>;
}

/**
 * `EVAL` through any of these clients, recognized by its methods.
 *
 * @throws WebhookConfigurationError when the client has none of them.
 */
export function redisEval(given: RedisClient): Evaluate {
  const client = (given ?? {}) as AnyClient;
  if (typeof client.call === 'function')
    return async (script, key, args) => client.call?.('EVAL', script, '1', key, ...args);
  // Before `eval`: Bun's client has an `eval` too, with other parameters.
  if (typeof client.send === 'function')
    return async (script, key, args) => client.send?.('EVAL', [script, '1', key, ...args]);
  if (typeof client.eval === 'function')
    return 'sendCommand' in client
      ? async (script, key, args) => client.eval?.(script, { keys: [key], arguments: [...args] })
      : async (script, key, args) => client.eval?.(script, [key], args);
  return misconfigured(
    `redisDedupe got ${kindOf(given)}, not a supported Redis client`,
    'Pass a client of node-redis, ioredis, Upstash or Bun.',
  );
}
