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

export interface RedisCommands {
  evaluate(script: string, key: string, args: readonly string[]): Promise<unknown>;
  /** Sets the key, or resolves to `null` if it exists. Missing in clients that only have `eval`. */
  setNew?(key: string, value: string, ms: string): Promise<unknown>;
  /** Sets the key. Missing in the same clients. */
  set?(key: string, value: string, ms: string): Promise<unknown>;
}

type Send = (command: string, args: string[]) => Promise<unknown>;

/** Which of these methods exist depends on the client. */
interface AnyClient {
  call(command: string, ...args: string[]): Promise<unknown>;
  send: Send;
  sendCommand: unknown;
  set(key: string, value: string, options: { PX: number; NX: true }): Promise<unknown>;
  pSetEx(key: string, ms: number, value: string): Promise<unknown>;
  eval(
    script: string,
    keys: readonly string[] | { keys: string[]; arguments: string[] },
    args?: readonly string[],
  ): Promise<unknown>;
}

export function redisCommands(given: RedisClient): RedisCommands {
  const client = (given ?? {}) as AnyClient;
  surviveErrors(given);
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
    evaluate: (script, key, args) => send('EVAL', [script, '1', key, ...args]),
    setNew: (key, value, ms) => send('SET', [key, value, 'PX', ms, 'NX']),
    set: (key, value, ms) => send('PSETEX', [key, ms, value]),
  };
}

function nodeRedisCommands(client: AnyClient): RedisCommands {
  return {
    evaluate: (script, key, args) => client.eval(script, { keys: [key], arguments: [...args] }),
    setNew: (key, value, ms) => client.set(key, value, { PX: Number(ms), NX: true }),
    // Half the cost of `set` with options.
    set: (key, value, ms) => client.pSetEx(key, Number(ms), value),
  };
}

function evalCommands(client: AnyClient): RedisCommands {
  return { evaluate: (script, key, args) => client.eval(script, [key], args) };
}

type On = (event: string, listener: (value: never) => void) => unknown;

const heard = /*@__PURE__*/ new WeakSet<object>();

/**
 * Listens to the errors of a client that was handed over: without a listener, a lost connection ends the Node process.
 * It logs nothing, because what fails for lack of the connection is reported where it fails.
 */
function surviveErrors(client: unknown): void {
  const { on } = Object(client) as { on?: On };
  if (typeof on !== 'function' || heard.has(client as object)) return;
  heard.add(client as object);
  on.call(client, 'error', () => {});
}
