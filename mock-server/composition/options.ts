import type { Duration } from '../control/arguments.ts';
import type { FaultOptions } from '../control/faults/faults.ts';
import type { Deployment } from '../domain/deployment.ts';
import type { Generator, Signer, Store, Transport } from '../domain/ports.ts';

/** Signs deliveries: `standardScheme()`, or any object with the same `sign`. */
export interface SigningScheme {
  /** Returns the headers of a delivery. */
  sign: Signer;
}

/** How deliveries leave the mock. Those to a receiver function never do. */
export interface DeliveryOptions {
  /**
   * Whether deliveries can go to other machines. Those to this machine always can.
   * @default false in a test run (Vitest, Jest, `node --test`, `NODE_ENV=test`) and on a manual clock, unless `allowPrivate` or `ca` is given
   */
  readonly network?: boolean;
  /**
   * Also delivers to private and loopback addresses, and over `http:`: to all of them, or to those in these networks,
   * such as `['172.16.0.0/12']`. Metadata services of clouds are never among them.
   * @default false
   */
  readonly allowPrivate?: boolean | readonly string[];
  /** Rejects `http:` callback URLs on loopback addresses too. @default false */
  readonly strictHttps?: boolean;
  /**
   * Certificate authorities that deliveries trust in addition to Node's own, as PEM text: for a receiver whose
   * certificate is self-signed or comes from a private authority.
   * @default none
   */
  readonly ca?: string;
  /** Sends the deliveries that have no receiver function. @default HTTP, where the platform has sockets */
  readonly transport?: Transport;
}

/** Options of `createMockServer`. */
export interface MockServerOptions {
  /** Where clients reach the mock, with or without `/v2`. @default 'https://api.contentgen.test' */
  readonly baseUrl?: string;
  /**
   * Makes ids, keys, generated text and processing times reproducible. A whole number of at least 0.
   * @default the platform's randomness
   */
  readonly seed?: number;
  /**
   * `'real'` follows the wall clock. `'manual'` starts at `start` and moves only when `clock.advance` is called.
   * @default 'real'
   */
  readonly clock?: 'manual' | 'real';
  /**
   * Where a manual clock starts: a time such as `'2026-02-01T00:00:00Z'`, or `'now'`. Receivers that check signatures
   * against their own clock, as other libraries do, need `'now'`.
   * @default '2026-01-01T00:00:00Z'
   */
  readonly start?: string;
  /**
   * Milliseconds of wall time for which each step of `settle` and `clock.advance` waits for receivers and generators
   * that are still working. Then it continues without them and calls `onWarning`.
   * @default 2000
   */
  readonly patience?: number;
  /** Tokens per organization and calendar month (UTC). A whole number of at least 0. @default 1_000_000 */
  readonly quota?: number;
  /** Faults to add at the start, as `faults.add` takes them. @default [] */
  readonly faults?: readonly FaultOptions[];
  /**
   * Milliseconds from acceptance to completion of a generation. Between `min` and `max` it is drawn from the seed.
   * Synchronous and streamed generations never wait for a manual clock.
   * @default { min: 300, max: 1500 } on a real clock; 0 on a manual clock or with a custom `generator`
   */
  readonly processingTime?:
    | number
    | {
        /** The shortest time, ms. */
        readonly min: number;
        /** The longest time, ms. */
        readonly max: number;
      };
  /**
   * How long a streamed generation continues after its last reader has left; then it is canceled. A number of
   * milliseconds, or a string such as `'60 s'`.
   * @default '60 s'
   */
  readonly streamGrace?: Duration;
  /** Generates the text. If it throws, the generation fails. @default a few sentences, always the same for the same prompt */
  readonly generator?: Generator;
  /** Models that requests can name in addition to `content-1` and `content-1-mini`. @default [] */
  readonly models?: readonly string[];
  /** Requests per credential and window, as a token bucket that refills evenly. @default no limit */
  readonly rateLimit?: {
    /** Requests allowed per window. */
    readonly limit: number;
    /** Length of the window in seconds. */
    readonly windowSeconds: number;
  };
  /** How deliveries leave the mock: to which machines, trusting whom. @default to this machine only, in tests */
  readonly deliveries?: DeliveryOptions;
  /** Signs deliveries. @default standardScheme() */
  readonly scheme?: SigningScheme;
  /**
   * What your deployment does differently: the content of your `deployment.json`. `baseUrl` and `scheme` take precedence.
   * @default the contract
   */
  readonly deployment?: Deployment;
  /** More public keys whose JWTs are accepted, each with a `kid`. @default none */
  readonly jwks?: {
    /** The public keys, as JWKs. */
    readonly keys: readonly object[];
  };
  /** Must have the format and checksum of an API key. @default a generated key */
  readonly adminKey?: string;
  /** Holds the state. A store that already holds an organization is resumed. @default memory */
  readonly store?: Store;
  /**
   * How much history to keep, the newest of it: at most `count` finished generations, at most `lines` entries in each
   * log, and at most `bytes` of both together. Usage and invoices are not affected.
   * @default { count: 100_000, lines: 10_000, bytes: 67_108_864 }
   */
  readonly retention?: {
    /** How many finished generations to keep, 1 or more. @default 100_000 */
    readonly count?: number;
    /** How many lines to keep in each log, and how many finished deliveries, 1 or more. @default 10_000 */
    readonly lines?: number;
    /**
     * Roughly how much memory the logs and the finished generations and deliveries can take together, at least 1 MiB.
     * @default 67_108_864
     */
    readonly bytes?: number;
  };
  /**
   * Keeps the bodies of requests, prompts included, in the request log. Without it, no prompt is stored anywhere, so that
   * a generation that was processing when the server stopped fails after a restart. Anything that looks like a key,
   * secret or token is removed from the log either way.
   * @default true
   */
  readonly logBodies?: boolean;
  /**
   * Called with unexpected errors of the server and of `generator`. When a store cannot save, it is called once, not for
   * each call that is rejected with a 503, and again when saving fails for another reason or after it has worked.
   * @default console.error
   */
  readonly onError?: (error: unknown) => void;
  /**
   * Called with a sentence when `settle` or `clock.advance` moves on without work that is still running, and when a test seems
   * to have forgotten something: a receiver, `now: mock.clock.now`, or to move a manual clock.
   * @default console.warn
   */
  readonly onWarning?: (message: string) => void;
}
