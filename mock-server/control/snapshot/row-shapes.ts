import type { TableName, Tables } from '../../domain/records.ts';

type Required<Row> = {
  [Name in keyof Row]-?: object extends Pick<Row, Name> ? never : Name;
}[keyof Row];

/** What a field holds: `list` is one of objects, `filled` one with at least one of them. */
export type Shape = 'string' | 'number' | 'object' | 'list' | 'filled';

const owned = { id: 'string', organization: 'string', project: 'string' } as const;

/** The fields that every row of a table has. Without them, it cannot be served. */
export const rowShapes: {
  readonly [Name in TableName]: Readonly<Record<Required<Tables[Name]>, Shape>>;
} = {
  organizations: { id: 'string', rngStream: 'number', quota: 'number', createdAt: 'number' },
  projects: { id: 'string', organization: 'string', secrets: 'filled', createdAt: 'number' },
  apiKeys: {
    ...owned,
    ...{ name: 'string', role: 'string', hash: 'string', hint: 'string' },
    ...{ createdAt: 'number', createdBy: 'string' },
  },
  generations: {
    ...owned,
    ...{ status: 'string', delivery: 'string', model: 'string' },
    ...{ maxTokens: 'number', createdAt: 'number' },
  },
  webhooks: {
    ...owned,
    ...{ event: 'string', url: 'string', status: 'string', secrets: 'filled' },
    ...{ createdAt: 'number', updatedAt: 'number' },
  },
  deliveries: {
    ...owned,
    ...{ messageId: 'string', event: 'string', url: 'string', body: 'string', status: 'string' },
    ...{ createdAt: 'number', attempts: 'list' },
  },
  jobs: { id: 'string', at: 'number', kind: 'string', ref: 'string' },
  idempotency: {
    ...{ id: 'string', key: 'string', fingerprint: 'string' },
    ...{ status: 'number', expiresAt: 'number' },
  },
  usage: {
    ...{ id: 'string', organization: 'string' },
    ...{ periodStart: 'number', used: 'number', requests: 'number' },
  },
  thresholdMarks: { id: 'string', at: 'number' },
  invoices: {
    ...{ id: 'string', organization: 'string', number: 'string', currency: 'string' },
    ...{ amountDue: 'number', amountPaid: 'number', status: 'string' },
    ...{ periodStart: 'number', periodEnd: 'number' },
  },
  faults: { id: 'string', effect: 'object' },
  counters: { id: 'string', value: 'number' },
  buckets: { id: 'string', left: 'number', at: 'number' },
  signingKeys: { id: 'string', kid: 'string', jwk: 'object' },
};
