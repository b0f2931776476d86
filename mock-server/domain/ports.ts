import type { Fault, Json, Role, TableName, Tables, TransportError } from './records.ts';

/** The server's own clock, and the one that other processes agree on. */
export interface Clock {
  /** Milliseconds since the Unix epoch, on the clock that tests can move. */
  now(): number;
  /** The current time for a receiver in another process: wall time, unless the clock is manual. */
  wall(): number;
}

/** The source of all randomness. Each organization draws from its own stream; stream 0 is the server's. */
export interface Randomness {
  /** Advances the stream. */
  bytes(rngStream: number, length: number): Uint8Array;
  /** Advances the stream. In [0, 1). */
  fraction(rngStream: number): number;
  /** With a seed, a label always gives the same fraction, no matter what was drawn before. In [0, 1). */
  fractionFor(rngStream: number, label: string): number;
}

export interface SignatureInput {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: Uint8Array;
  /** Newest first. */
  readonly secrets: readonly string[];
}

/** Returns the headers that prove where a delivery comes from. */
export type Signer = (
  input: SignatureInput,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type OutboundOutcome =
  | {
      readonly status: number;
      readonly retryAfter?: string;
      readonly snippet: string;
      /** As received. */
      readonly headers?: Iterable<readonly [name: string, value: string]>;
    }
  | {
      readonly error: TransportError;
      /** A human-readable sentence, without secrets. */
      readonly reason?: string;
    };

/** Sends one attempt; never rejects. The signal is its deadline. */
export type Transport = (
  request: OutboundRequest,
  context: { signal: AbortSignal },
) => Promise<OutboundOutcome>;

/** What a generator receives of a request. */
export interface GeneratorInput {
  /** The prompt of the request. */
  readonly prompt: string;
  /** The model of the request, or the default one. */
  readonly model: string;
  /** Maximum number of completion tokens. */
  readonly maxTokens: number;
  /** The temperature of the request. */
  readonly temperature?: number;
  /** The seed of the request. */
  readonly seed?: number;
}

/** Tokens as the model counted them. */
export interface GeneratorUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * The model: yields the text in pieces, as it is generated. The server cuts the text where its estimate reaches
 * `maxTokens`. A generator function can return a `GeneratorUsage`; otherwise the server counts the tokens itself.
 */
export type Generator = (
  input: GeneratorInput,
  context: {
    /** Aborts when the generation is canceled. */
    signal: AbortSignal;
  },
) => AsyncIterable<string> | Iterable<string>;

export interface TokenClaims {
  readonly sub: string;
  readonly org: string;
  readonly project: string;
  readonly role: Role;
  /** Unix seconds. */
  readonly iat: number;
  /** Unix seconds. */
  readonly exp: number;
}

export type TokenVerdict =
  | {
      readonly ok: true;
      readonly claims: TokenClaims;
      /** Signed with a key of this server, not with one of a trusted issuer. */
      readonly issuedHere: boolean;
    }
  | { readonly ok: false; readonly code: 'invalid_token' | 'expired_token' };

/** Issues and verifies users' JWTs; `now` is Unix seconds on the server's clock. */
export interface TokenAuthority {
  issue(claims: TokenClaims): Promise<string>;
  verify(token: string, now: number): Promise<TokenVerdict>;
  /** The JSON Web Key Set to serve. */
  jwks(): Promise<{ keys: Json[] }>;
}

export interface Ports {
  readonly clock: Clock;
  readonly random: Randomness;
  /** SHA-256 as lower-case hex. A string is encoded as UTF-8. */
  digest(data: string | Uint8Array): string;
  /** Encrypts under a key derived from `secret`, which is not stored. */
  seal(plaintext: string, secret: string): Promise<string>;
  /** Returns undefined unless `secret` is the one used to seal. */
  unseal(sealed: string, secret: string): Promise<string | undefined>;
  readonly sign: Signer;
  readonly tokens: TokenAuthority;
  readonly generate: Generator;
  readonly transport: Transport;
  /**
   * Chooses what goes wrong with a call or a delivery's attempt that no fault in the table affects. `ref` is the
   * delivery's id, `attempt` counts from 1.
   */
  readonly chooseFault?: (
    kind: 'operation' | 'delivery',
    name: string,
    about: { readonly ref?: string; readonly attempt?: number },
  ) => Fault['effect'] | undefined;
  /**
   * Waits in wall time or, with a manual clock, not at all; rejects with the reason of the first signal that aborts.
   */
  pause(ms: number, ...signals: readonly AbortSignal[]): Promise<void>;
}

/** The rows of a page, by index and key. */
export interface PageQuery {
  /** Without one, every row of the table matches. */
  readonly index?: string;
  /** The value that the index must have. */
  readonly key?: string;
  /** The maximum number of rows to return. @default no limit */
  readonly limit?: number;
}

/** Rows in id order. A row is never changed in place: `put` a new one. */
export interface Table<Row extends { readonly id: string }> {
  /** Returns a row by its id. */
  get(id: string): Row | undefined;
  /** Adds a row, or replaces the one with its id. */
  put(row: Row): void;
  /** Deletes a row; `false` if it does not exist. */
  delete(id: string): boolean;
  /** The oldest row with that key. */
  find(index: string, key: string): Row | undefined;
  /** Newest first, starting below the id `before`. */
  newest(
    query: PageQuery & {
      /** Only rows with a smaller id. */
      readonly before?: string;
    },
  ): Row[];
  /** Oldest first. */
  oldest(query?: PageQuery): Row[];
  /** Counts the rows, all of them or those of a key. */
  count(query?: {
    /** The index to look in. */
    readonly index: string;
    /** The value that the index must have. */
    readonly key: string;
  }): number;
}

/** The rows of every table. */
export type StoreSnapshot = { readonly [T in TableName]?: readonly Tables[T][] };

/** All state. It is synchronous, so what one `transaction` writes becomes visible as a whole or not at all. */
export interface Store {
  /** Returns a table by its name. */
  table<T extends TableName>(name: T): Table<Tables[T]>;
  /** Joins the transaction already open, if any; a throw rolls it all back. `work` must not be asynchronous. */
  transaction<T>(work: () => T): T;
  /** A copy of everything as plain JSON. */
  snapshot(): StoreSnapshot;
  /** Replaces everything. */
  restore(snapshot: StoreSnapshot): void;
  /** Resolves once everything written so far is durable; undefined when it already is. */
  flushed?(): Promise<void> | undefined;
}
