export { LeaseLostError } from './callback-errors.ts';
export type {
  Claim,
  Dedupe,
  DedupeStore,
  DedupeTimes,
  SqlQuery,
} from './dedupe/dedupe.ts';
export { type PostgresDedupeOptions, postgresDedupe } from './dedupe/postgres.ts';
export { type PostgresPurgeOptions, postgresPurge } from './dedupe/postgres-purge.ts';
export { postgresDdl } from './dedupe/postgres-table.ts';
export {
  type ListeningClient,
  type ListeningPool,
  type PostgresResultsOptions,
  postgresResults,
  postgresResultsDdl,
} from './results/postgres-results.ts';
export type { ResultEvent, ResultStore } from './results/results.ts';
export type { SharedResults, SharedResultsOptions } from './results/shared-results.ts';
