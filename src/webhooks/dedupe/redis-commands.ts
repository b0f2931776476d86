import { kindOf, misconfigured } from '../../signing/errors.ts';

type Call = (...args: never[]) => Promise<unknown>;

/** A client of node-redis (`eval` with an options object), ioredis (`call`), Upstash (`eval` with arrays) or Bun (`send`). */
export type RedisClient =
  | {
      /** Runs a command, as in ioredis. */
      readonly call: Call;
    }
  | {
      /** Runs a command, as in Bun. */
      readonly send: Call;
    }
  | {
      /** Runs a script, as in Upstash. */
      readonly eval: Call;
    };

/** The commands that the store needs, through any of these clients. */
export interface RedisCommands {
  /** Runs a Lua script on one key. */
  evaluate(script: string, key: string, args: readonly string[]): Promise<unknown>;
  /** `SET` with an expiry; with `isNew`, resolves to `null` if the key exists. Missing in clients that only have `eval`. */
  set?(key: string, value: string, ms: string, isNew: boolean): Promise<unknown>;
}

type Send = (command: string, args: string[]) => Promise<unknown>;

interface AnyClient {
  call?(command: string, ...args: string[]): Promise<unknown>;
  send?: Send;
  sendCommand?: unknown;
  set?(key: string, value: string, options: { PX: number; NX?: true }): Promise<unknown>;
  eval?(
    script: string,
    keys: readonly string[] | { keys: string[]; arguments: string[] },
    args?: readonly string[],
  ): Promise<unknown>;
}

/**
 * The commands of a client, which is recognized by its methods.
 *
 * @throws WebhookConfigurationError when the client has none of them.
 */
export function redisCommands(given: RedisClient): RedisCommands {
  const client = (given ?? {}) as AnyClient;
  const { call, send } = client;
  if (typeof call === 'function')
    return plainCommands((command, args) => call.call(client, command, ...args));
  // Before `eval`: Bun's client has an `eval` too, with other parameters.
  if (typeof send === 'function')
    return plainCommands((command, args) => send.call(client, command, args));
  if (typeof client.eval === 'function')
    return 'sendCommand' in client ? nodeRedisCommands(client) : evalCommands(client);
  return misconfigured(
    `redisDedupe got ${kindOf(given)}, not a supported Redis client`,
    'Pass a client of node-redis, ioredis, Upstash or Bun.',
  );
}

function plainCommands(send: Send): RedisCommands {
  return {
    evaluate: async (script, key, args) => send('EVAL', [script, '1', key, ...args]),
    set: async (key, value, ms, isNew) =>
      send('SET', [key, value, 'PX', ms, ...(isNew ? ['NX'] : [])]),
  };
}

function nodeRedisCommands(client: AnyClient): RedisCommands {
  return {
    evaluate: async (script, key, args) =>
      client.eval?.(script, { keys: [key], arguments: [...args] }),
    set: async (key, value, ms, isNew) =>
      client.set?.(key, value, { PX: Number(ms), ...(isNew && { NX: true }) }),
  };
}

function evalCommands(client: AnyClient): RedisCommands {
  return { evaluate: async (script, key, args) => client.eval?.(script, [key], args) };
}
