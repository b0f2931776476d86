import type { AllowedNetworks } from './address-policy.ts';
import type { Deployment, SecretEncoding } from './deployment.ts';
import type { History, HistoryLimits } from './history.ts';
import type { Holds } from './holds.ts';
import type { LastId } from './ids.ts';
import type { LiveGenerations } from './live-generations.ts';
import type { Logs } from './log.ts';
import type { Ports, Store } from './ports.ts';
import type { LogEvent } from './records.ts';
import type { Scheduler } from './scheduler.ts';

export interface Settings extends HistoryLimits {
  /** Tokens per calendar month, for organizations created without their own quota. */
  readonly quota: number;
  readonly models: readonly string[];
  /** Milliseconds for which a streamed generation continues without a reader. */
  readonly streamGrace: number;
  /** Milliseconds between acceptance and completion. */
  readonly processingTime: { readonly min: number; readonly max: number };
  /** What the server does differently from the contract. */
  readonly deployment?: Deployment;
  /** Translates a payload into the names of the deployment. */
  readonly toWire?: (payload: object) => object;
  /** How signing secrets are written. @default 'whsec' */
  readonly secretEncoding?: SecretEncoding;
  /** Name of the header that carries a registration's token. */
  readonly tokenHeader: string;
  /** What stands before the token. */
  readonly tokenPrefix: string;
  readonly userAgent: string;
  readonly strictHttps: boolean;
  readonly allowPrivate: AllowedNetworks;
  /** False once other machines can reach the server: its loopback is not theirs. */
  readonly allowLoopback: boolean;
  readonly rateLimit?: { readonly limit: number; readonly windowSeconds: number };
  /** Whether the request log keeps bodies, prompts included. */
  readonly logBodies: boolean;
}

/** Everything that a domain operation can use. */
export interface Context {
  readonly store: Store;
  readonly ports: Ports;
  readonly settings: Settings;
  readonly scheduler: Scheduler;
  readonly live: LiveGenerations;
  readonly holds: Holds;
  readonly logs: Logs;
  /** The last id of a request, by random stream. */
  readonly requestIds: Map<number, LastId>;
  readonly history: History;
  /** Called with every line added to the event log. */
  observe(event: LogEvent): void;
}
