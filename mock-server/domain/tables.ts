import type * as records from './records.ts';

export interface Tables {
  organizations: records.Organization;
  projects: records.Project;
  apiKeys: records.ApiKey;
  generations: records.Generation;
  webhooks: records.Webhook;
  deliveries: records.Delivery;
  jobs: records.Job;
  idempotency: records.IdempotencyEntry;
  usage: records.UsagePeriod;
  thresholdMarks: records.ThresholdMark;
  invoices: records.Invoice;
  events: records.LogEvent;
  requests: records.RequestEntry;
  faults: records.Fault;
  counters: records.Counter;
  buckets: records.Bucket;
}

export type TableName = keyof Tables;

/** Tables whose rows are appended and dropped, oldest first, and never change. */
export const logs: ReadonlySet<TableName> = new Set(['events', 'requests']);

type IndexesOf<Row> = Readonly<Record<string, (row: Row) => string | undefined>>;

/** A row is found under what each function answers; undefined keeps it out of that index. */
export const indexes: { readonly [T in TableName]: IndexesOf<Tables[T]> } = {
  organizations: {},
  projects: { organization: (row) => row.organization },
  apiKeys: { hash: (row) => row.hash, project: (row) => row.project },
  generations: {
    project: (row) => row.project,
    projectStatus: (row) => `${row.project}:${row.status}`,
    interrupted: (row) =>
      row.status === 'processing' && row.delivery !== 'callback' ? 'yes' : undefined,
  },
  webhooks: {
    project: (row) => row.project,
    listening: (row) => (row.status === 'enabled' ? `${row.organization}:${row.event}` : undefined),
  },
  deliveries: {
    organization: (row) => row.organization,
    webhook: (row) => row.webhookId,
    callbacks: (row) => (row.webhookId === undefined ? row.project : undefined),
    request: (row) => row.requestId,
    pending: (row) => (row.status === 'pending' ? (row.webhookId ?? row.requestId) : undefined),
    finished: (row) => (row.status === 'pending' ? undefined : 'yes'),
    failed: (row) => (row.status === 'failed' ? (row.webhookId ?? row.requestId) : undefined),
  },
  jobs: {
    ref: (row) => row.ref,
  },
  idempotency: { key: (row) => row.key },
  usage: {},
  thresholdMarks: {},
  invoices: { organization: (row) => row.organization },
  events: { organization: (row) => row.organization },
  requests: { organization: (row) => row.organization },
  faults: {},
  counters: {},
  buckets: {},
};
