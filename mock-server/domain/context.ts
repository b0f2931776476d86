import type { AllowedNetworks } from './address-policy.ts';
import type { Deployment, SecretEncoding } from './deployment.ts';
import type { History, HistoryLimits } from './history.ts';
import type { Holds } from './holds.ts';
import type { LastId } from './ids.ts';
import type { LiveGenerations } from './live-generations.ts';
import type { Logs } from './log.ts';
import type { Ports, Store } from './ports.ts';
import type { Scheduler } from './scheduler.ts';

export interface Settings extends HistoryLimits {
  /** Tokens per calendar month, for organizations created without their own quota. */
  readonly quota: number;
  readonly models: readonly string[];
  /** Milliseconds for which a streamed generation continues without a reader. */
  readonly streamGrace: number;
  /** Milliseconds between acceptance and completion. */
  readonly processingTime: { readonly min: number; readonly max: number };
  readonly deployment?: Deployment;
  readonly secretEncoding?: SecretEncoding;
  readonly tokenHeader: string;
  readonly tokenPrefix: string;
  readonly userAgent: string;
  readonly strictHttps: boolean;
  readonly allowPrivate: AllowedNetworks;
  /** False once other machines can reach the server: its loopback is not theirs. */
  readonly allowLoopback: boolean;
  readonly rateLimit?: { readonly limit: number; readonly windowSeconds: number };
  readonly logBodies: boolean;
}

export interface Context {
  readonly store: Store;
  readonly ports: Ports;
  readonly settings: Settings;
  readonly scheduler: Scheduler;
  readonly live: LiveGenerations;
  readonly holds: Holds;
  readonly logs: Logs;
  readonly requestIds: Map<number, LastId>;
  readonly history: History;
}
