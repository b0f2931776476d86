import { limitRules } from '../core/client-rules.ts';
import { growingMs } from '../core/retry.ts';
import type { ContentGenError } from '../errors.ts';
import { checkOptions } from '../options/check-options.ts';
import * as rules from '../options/rules.ts';
import type { Defined } from '../options/values.ts';
import type { CallOptions } from '../options.ts';
import type { Generation } from '../types.ts';

/** A source of result callbacks, for example the function that `createWebhookHandler` returns. */
export interface ResultSource {
  /** Resolves with the event of a generation; the signal aborts when it is no longer needed. */
  waitFor(
    requestId: string,
    options: {
      /** Aborts when the result is no longer needed. */
      readonly signal: AbortSignal;
    },
  ): Promise<{
    /** `generation_completed` or `generation_failed`. */
    readonly type: string;
    /** The payload of the callback. */
    readonly payload: unknown;
  }>;
}

/** Options of `job.wait()`. Its `deadline` limits the whole wait. */
export interface WaitOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /**
   * Ends the wait as soon as the callback arrives in this process: pass the handler. Polling continues in case it never
   * does, but rarely: see `pollInterval`.
   */
  readonly results?: ResultSource | undefined;
  /**
   * Called after each poll that finds the generation unfinished, or fails. An error in it never ends the wait.
   * @example onProgress: ({ elapsedMs }) => console.log(`${Math.round(elapsedMs / 1000)} s`)
   */
  readonly onProgress?: ((progress: WaitProgress) => void) | undefined;
  /**
   * The shortest and the longest time between two polls, in ms: it grows by half with each poll, ±20 %. A `Retry-After`
   * from the service takes precedence, up to `maxRetryAfter`, and there is always a poll one second before the deadline.
   * A `max` below `min` is a `TypeError`. `false`, with `results`, polls only if listening fails.
   * @default { min: 500, max: 10_000 }; with `results`, as long as they work, { min: 10_000, max: 60_000 }
   */
  readonly pollInterval?:
    | {
        /** The time after the first poll, ms. */
        readonly min?: number | undefined;
        /** The longest time, ms. */
        readonly max?: number | undefined;
      }
    | false
    | undefined;
}

/** The progress of a wait. */
export interface WaitProgress {
  /** The generation as this poll found it; absent if the poll failed. */
  readonly generation?: Generation | undefined;
  /** Why this poll failed; the wait continues. */
  readonly error?: ContentGenError | undefined;
  /** How many polls have been made, at least 1. */
  readonly polls: number;
  /** Time since `wait` was called, ms. */
  readonly elapsedMs: number;
  /** Time until the next poll, ms. */
  readonly nextPollMs: number;
}

const FIRST_POLL_MS = 500;
const MAX_POLL_MS = 10_000;
/** How rarely to poll while a result source works; polling is then only a fallback. */
const rarely = { min: 10_000, max: 60_000 };

type PollInterval = Exclude<WaitOptions['pollInterval'], false>;

const isMilliseconds = (value: unknown): boolean => Number.isFinite(value) && (value as number) > 0;

const waitRules: rules.OptionRules<WaitOptions> = {
  ...limitRules,
  results: rules.objectWith(['waitFor']),
  onProgress: rules.callback,
  pollInterval: rules.mustBe(
    '{ min, max } in milliseconds above 0, max at least min, or false',
    (value) =>
      value === false ||
      (rules.recordOf((name) => /^(min|max)$/.test(name), isMilliseconds)(value) &&
        longest(value as object) >= shortest(value as object)),
  ),
};

export function checkWaitOptions(options: WaitOptions): Defined<WaitOptions> {
  const checked = checkOptions(options, waitRules);
  if (checked.pollInterval !== false || checked.results) return checked;
  throw new TypeError('pollInterval: false needs results. Pass the receiver of the callback.');
}

/** How long to wait after the `n`th poll: `min`, growing to `max`, ±20 %; `random` is in [0, 1). */
export function pollDelay(
  n: number,
  random: number,
  interval?: PollInterval,
  listens = false,
): number {
  const given = interval ?? (listens ? rarely : {});
  return growingMs(n, random, shortest(given), longest(given));
}

const shortest = ({ min, max = MAX_POLL_MS }: PollInterval & object): number =>
  min ?? Math.min(FIRST_POLL_MS, max);
const longest = ({ min = FIRST_POLL_MS, max }: PollInterval & object): number =>
  max ?? Math.max(MAX_POLL_MS, min);
