import type { ConformanceReceiver } from './receiver.ts';

/** Options of {@link runConformance}. */
export interface ConformanceOptions {
  /** The address of the service, with or without a prefix such as `/v2`. */
  readonly baseUrl: string;
  /** The key under test: an administrator's, for keys and registrations. */
  readonly apiKey: string;
  /** What the service signs its callbacks with, or the token that it sends. */
  readonly secret?: string;
  /** What is known already, as JSON: tried first, and kept where nothing else was seen. */
  readonly deployment?: object;
  /** Receives callbacks. Without one, what a callback shows is not tried. */
  readonly receiver?: ConformanceReceiver;
  /** Whether to create a key and a registration too, and remove them. @default false */
  readonly allowWrites?: boolean;
  /** Tokens that generations can use; 0 for no generation. @default 2000 */
  readonly spend?: number;
  /** How long a generation, and a wait that the service asks for, can take. @default 60_000 */
  readonly timeoutMs?: number;
  /** Sends the requests. @default the global fetch */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Ends the run; what it made is removed. */
  readonly signal?: AbortSignal;
  /** Called with what is left in the service whenever that changes. */
  readonly onLeft?: (left: readonly string[]) => void;
}

/** One line of a deployment file, and what shows it. */
export interface ConformanceLine {
  /** Where it stands: `fields.requestId`, `absent.getUsage`. */
  readonly line: string;
  /** What was seen; for `absent`, whether the operation is. */
  readonly value: unknown;
  /** What the file, or the contract, said instead. */
  readonly was: unknown;
  /** The request and the names in its response. */
  readonly evidence: string;
  /** A guess: confirm it and write it yourself. It is in no file. */
  readonly confirm?: true;
}

/** One thing that was done with the file that was written. */
export interface ConformanceProof {
  /** What was done. */
  readonly what: string;
  /** Whether it worked; `undefined` if it was not tried. */
  readonly ok: boolean | undefined;
  /** What came of it, or what it would need. */
  readonly detail: string;
}

/** What a run found. */
export interface ConformanceReport {
  /** What was known and what was found: the content of a `deployment.json`. */
  readonly deployment: Record<string, unknown>;
  /** Everything in which the service is not as the given deployment or the contract says, guesses included. */
  readonly lines: readonly ConformanceLine[];
  /** What worked with this deployment, and what was not tried. */
  readonly proof: readonly ConformanceProof[];
  /** Why the run ended early. */
  readonly problem?: string;
  /** When to run again, in seconds: the service asked for a longer wait than the budget allows. */
  readonly retryAfter?: number;
  /** What could not be removed. */
  readonly left: readonly string[];
  /** How many requests were sent, and about how many tokens they used. */
  readonly spent: {
    /** Requests that were sent. */
    readonly requests: number;
    /** Tokens that the service counted. */
    readonly tokens: number;
  };
}

/** Ends a run early; the message says why. */
export class Stop extends Error {
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}
