export type {
  Claim,
  Dedupe,
  DedupeStore,
  DedupeTimes,
  SqlQuery,
} from './dedupe/lease-times.ts';
export { type PostgresDedupeOptions, postgresDedupe } from './dedupe/postgres.ts';
export { type PostgresPurgeOptions, postgresPurge } from './dedupe/postgres-purge.ts';
export { postgresDdl } from './dedupe/postgres-table.ts';
export { LeaseLostError } from './queue/give-up.ts';
