import { text } from '../../option-rules.ts';
import { assertOptions, kindOf, misconfigured } from '../../signing/errors.ts';
import { type RedisClient, redisCommands } from '../dedupe/redis-commands.ts';
import { surviveErrors } from '../keep-alive.ts';
import {
  createSharedResults,
  type SharedResults,
  type SharedResultsOptions,
  sharedResultsRules,
} from './shared-results.ts';

/** A node-redis or ioredis client for subscribing; it cannot be the one that runs commands. */
export interface RedisSubscriber {
  /** Subscribes to a channel. */
  readonly subscribe: (...args: never[]) => Promise<unknown>;
  /** Listens to an event of the client. */
  readonly on: (...args: never[]) => unknown;
}

/** Options of {@link redisResults}. */
export interface RedisResultsOptions extends SharedResultsOptions {
  /** Put before every key, and the name of the channel. @default 'contentgen:result:' */
  readonly prefix?: string;
}

const saveScript = `redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return redis.call('PUBLISH', ARGV[3], ARGV[4])`;
const loadScript = `return redis.call('GET', KEYS[1])`;

/** The methods of both clients that are used here. */
interface AnySubscriber {
  call?: unknown;
  subscribe(channel: string, listener?: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  on(event: string, listener: (...args: string[]) => void): unknown;
  off(event: string, listener: (...args: string[]) => void): unknown;
}

/**
 * Shares results between processes through Redis: the callback arrives in one, and `job.wait({ results })` settles in
 * another.
 *
 * @param client - Runs commands: a client of node-redis or ioredis.
 * @param subscriber - A separate connection that only listens: `await client.duplicate().connect()`.
 * @throws WebhookConfigurationError when an option is unknown or wrong, or a client is not supported.
 * @example
 * const results = redisResults(client, subscriber);
 * createWebhookHandler({ secret, results });
 * await job.wait({ results });
 */
export function redisResults(
  client: RedisClient,
  subscriber: RedisSubscriber,
  options: RedisResultsOptions = {},
): SharedResults {
  assertOptions(options, { ...sharedResultsRules, prefix: text });
  const { prefix = 'contentgen:result:' } = options;
  const { evaluate } = redisCommands(client, 'redisResults');
  const listens = subscriber as unknown as AnySubscriber;
  if (typeof listens?.subscribe !== 'function' || typeof listens.on !== 'function')
    misconfigured(
      `subscriber is ${kindOf(subscriber)}, not a client that can subscribe`,
      'Pass a second client of node-redis or ioredis: client.duplicate().',
    );
  if ((subscriber as unknown) === client)
    misconfigured(
      'client and subscriber are the same',
      'A client that subscribes runs no commands: pass client.duplicate() as subscriber.',
    );
  surviveErrors(subscriber);
  return createSharedResults(
    {
      save: (requestId, result, ttlMs) =>
        evaluate(saveScript, prefix + requestId, [
          result,
          `${Math.ceil(ttlMs)}`,
          prefix,
          requestId,
        ]),
      load: async (requestId) =>
        (await evaluate(loadScript, prefix + requestId, [])) as string | null,
      async listen({ announced, reconnected }) {
        const isIoredis = typeof listens.call === 'function';
        const onMessage = (channel: string, message: string) => {
          if (channel === prefix) announced(message);
        };
        if (isIoredis) listens.on('message', onMessage);
        listens.on('ready', reconnected);
        await (isIoredis ? listens.subscribe(prefix) : listens.subscribe(prefix, announced));
        return async () => {
          listens.off('message', onMessage);
          listens.off('ready', reconnected);
          await listens.unsubscribe(prefix);
        };
      },
    },
    options,
  );
}
