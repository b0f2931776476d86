export {
  type Claim,
  type Dedupe,
  type DedupeTimes,
  LeaseLostError,
  type SqlQuery,
} from './dedupe/dedupe.ts';
export { type PostgresDedupeOptions, postgresDedupe } from './dedupe/postgres.ts';
export { type PostgresPurgeOptions, postgresPurge } from './dedupe/postgres-purge.ts';
export { postgresDdl } from './dedupe/postgres-table.ts';
