export type { Chaos } from './chaos.ts';
export type { Disk, DiskOperations, DiskStore, DiskStoreOptions, DiskValues } from './disk.ts';
export type { External, ExternalSendOptions } from './externals.ts';
export { InvariantError, type InvariantOptions } from './invariants.ts';
export { InstanceCrashedError } from './life.ts';
export { nodeReceiver } from './node-receiver.ts';
export type {
  GenerationIds,
  InstanceContext,
  Receive,
  RunContext,
  SimulatedClock,
  SimulatedMock,
  SimulateOptions,
  SimulationResult,
} from './options.ts';
export type { QueueContext } from './queue-jobs.ts';
export type { Random } from './random.ts';
export type { Reproduction, TraceEntry } from './reproduction-format.ts';
export type { ServerOptions } from './service.ts';
export { simulate } from './simulate.ts';
export {
  type SimulatedBullmq,
  type SimulatedWorkerOptions,
  simulatedBullmq,
} from './simulated-bullmq.ts';
export {
  type SimulatedGraphileWorker,
  simulatedGraphileWorker,
} from './simulated-graphile-worker.ts';
export {
  type SimulatedPgBoss,
  type SimulatedQueueOptions,
  simulatedPgBoss,
} from './simulated-pg-boss.ts';
export { type StandInOptions, simulatedPostgres } from './simulated-postgres.ts';
export { simulatedRedis } from './simulated-redis.ts';
export { NondeterminismError, SimulationError } from './simulation-error.ts';
export {
  type SqlConnection,
  type SqlDatabase,
  type SqlDiskOptions,
  type SqlQueries,
  sqlDisk,
} from './sql-disk.ts';
export type { SqlResult } from './sql-session.ts';
