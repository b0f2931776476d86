import type { Ports, Store } from './ports.ts';
import type { LogEvent, SystemEvent } from './records.ts';
import type { Scheduler } from './scheduler.ts';

export interface Settings {
  /** Tokens per calendar month for organizations made without their own. */
  readonly quota: number;
  readonly models: readonly string[];
  /** Milliseconds between acceptance and completion. */
  readonly processingTime: { readonly min: number; readonly max: number };
  /** What the `event` field of a notification says, where a deployment's names differ. */
  readonly eventNames: Readonly<Partial<Record<SystemEvent, string>>>;
  /** Carries a registration's token. */
  readonly tokenHeader: string;
  readonly userAgent: string;
  readonly strictHttps: boolean;
  readonly allowPrivate: boolean;
  readonly rateLimit?: { readonly limit: number; readonly windowSeconds: number };
  /** Lines kept of the event log and of the request log each. */
  readonly logLimit: number;
}

/** Everything that a domain operation may reach. */
export interface Context {
  readonly store: Store;
  readonly ports: Ports;
  readonly settings: Settings;
  readonly scheduler: Scheduler;
  /** Told of every line of the event log. */
  observe(event: LogEvent): void;
}
