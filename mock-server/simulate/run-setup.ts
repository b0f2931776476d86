import type { ResolvedChaos } from './chaos.ts';
import type { FakeTimers } from './globals.ts';
import type { Receive, RunContext, SimulateOptions } from './options.ts';
import type { Service } from './service.ts';

export interface RunSetup<App> {
  readonly options: SimulateOptions<App>;
  readonly service: Service;
  readonly chaos: ResolvedChaos;
  readonly url: string;
  readonly replicas: number;
  readonly receive: (app: App) => Receive;
  readonly settleForMs: number;
  readonly patience: number;
  /** With `globals: true`. */
  readonly fakeTimers?: FakeTimers | undefined;
  /** Whether the console shows what the application writes. */
  readonly isShown: boolean;
}

export interface Stage<App> {
  readonly context: RunContext<App>;
  start(): void;
  hasStarted(): boolean;
}
