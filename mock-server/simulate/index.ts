export type { Chaos } from './chaos.ts';
export type { Disk, DiskOperations, DiskStore, DiskValues } from './disk.ts';
export type { External, ExternalSendOptions } from './externals.ts';
export { InvariantError, type InvariantOptions } from './invariants.ts';
export { InstanceCrashedError } from './life.ts';
export { nodeReceiver } from './node-receiver.ts';
export type {
  InstanceContext,
  Receive,
  RunContext,
  SimulatedClock,
  SimulateOptions,
  SimulationResult,
} from './options.ts';
export type { Random } from './random.ts';
export type { ServerOptions } from './service.ts';
export { simulate } from './simulate.ts';
export { type StandInOptions, simulatedPostgres } from './simulated-postgres.ts';
export { NondeterminismError, SimulationError } from './simulation-error.ts';
export {
  type SqlConnection,
  type SqlDatabase,
  type SqlDiskOptions,
  type SqlQueries,
  sqlDisk,
} from './sql-disk.ts';
export type { SqlResult } from './sql-engine.ts';
