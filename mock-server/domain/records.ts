import type { CallbackEvent, SystemEvent } from './event-names.ts';

export type { CallbackEvent, SystemEvent };

/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * Rows as the store keeps them: plain JSON, times in milliseconds since the Unix epoch. Where a member may be
 * undefined, that means left out: of the rows that come by the thousand, all have one shape.
 */

export interface Organization {
  readonly id: string;
  /** Names the organization's random streams. */
  readonly rngStream: number;
  /** Tokens per calendar month. */
  readonly quota: number;
  /** Named by a trusted token, not made by control. */
  readonly external?: true;
  readonly createdAt: number;
}

export interface SigningSecret {
  /** `whsec_…` */
  readonly secret: string;
  readonly createdAt: number;
  /** Set once a newer one took over: it signs too until then. */
  readonly expiresAt?: number;
}

export interface Project {
  readonly id: string;
  readonly organization: string;
  /** Newest first. They sign result callbacks. */
  readonly secrets: readonly SigningSecret[];
  readonly createdAt: number;
}

export type Role = 'admin' | 'member';

export interface ApiKey {
  readonly id: string;
  readonly organization: string;
  readonly project: string;
  readonly name: string;
  readonly role: Role;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  readonly hint: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt?: number;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
  readonly regeneratedFrom?: string;
}

export type GenerationStatus = 'processing' | 'completed' | 'failed' | 'canceled';

export interface TokenUsage {
  readonly totalTokens: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface Generation {
  readonly id: string;
  readonly organization: string;
  readonly project: string;
  readonly status: GenerationStatus;
  readonly delivery: 'answer' | 'stream' | 'callback';
  readonly model: string;
  readonly prompt: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly seed?: number;
  readonly result?: string;
  readonly usage?: TokenUsage;
  readonly error?: { readonly code: string; readonly message: string };
  readonly webhookUrl?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly completedAt?: number;
}

export interface Webhook {
  readonly id: string;
  readonly organization: string;
  readonly project: string;
  readonly event: SystemEvent;
  readonly url: string;
  readonly description?: string;
  /** Share of the quota; `usage_threshold` alone has one. */
  readonly threshold?: number;
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason?: string;
  /** Since when every attempt has failed. */
  readonly failingSince?: number;
  readonly token?: string;
  /** Newest first. */
  readonly secrets: readonly SigningSecret[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type TransportError = 'timeout' | 'connection' | 'dns' | 'refused_address';

export interface Attempt {
  readonly at: number;
  readonly status?: number;
  readonly durationMs: number;
  readonly error?: TransportError | 'status';
  /** At most 1 KiB of the answer. */
  readonly response?: string;
  /** What proved where it came from; shown by the control plane alone. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Delivery {
  readonly id: string;
  readonly organization: string;
  readonly project: string;
  /** The `webhook-id`, the same on every attempt. */
  readonly messageId: string;
  /** Set for a registration's delivery. */
  readonly webhookId?: string | undefined;
  /** Set for a result callback. */
  readonly requestId?: string | undefined;
  readonly event: SystemEvent | CallbackEvent;
  readonly url: string;
  /** Frozen when enqueued: every attempt sends these bytes, UTF-8 encoded. */
  readonly body: string;
  readonly status: 'pending' | 'delivered' | 'failed' | 'canceled';
  readonly createdAt: number;
  /** While pending. */
  readonly nextAttemptAt?: number | undefined;
  readonly attempts: readonly Attempt[];
  /** Attempts made before the last redelivery: the schedule counts from here. */
  readonly attemptsBefore?: number;
}

/** Work that falls due. Ids sort by due time, so the table's order is the order of execution. */
export interface Job {
  readonly id: string;
  readonly at: number;
  readonly kind: JobKind;
  /** Id of the row that the work is about. */
  readonly ref: string;
}

export type JobKind =
  | 'generation.complete'
  | 'delivery.attempt'
  | 'usage.period_end'
  | 'idempotency.sweep';

export interface IdempotencyEntry {
  readonly id: string;
  /** Project and SHA-256 of the caller's key. */
  readonly key: string;
  readonly fingerprint: string;
  readonly status: number;
  /** JSON text of the answer. */
  readonly body?: string;
  /** The generation whose stream the answer was. */
  readonly stream?: string;
  /** Says that `body` was stored without its secret. */
  readonly secret?: { readonly field: string; readonly sealed: string; readonly expiresAt: number };
  readonly expiresAt: number;
}

/** Consumption of one organization in one calendar month (UTC). */
export interface UsagePeriod {
  /** `<organization>:<period start in ms>` */
  readonly id: string;
  readonly organization: string;
  readonly periodStart: number;
  readonly used: number;
  readonly requests: number;
}

/** Remembers that a registration was told in a period. */
export interface ThresholdMark {
  /** `<webhook>:<period start in ms>:<share | quota>` */
  readonly id: string;
  readonly at: number;
}

export interface Invoice {
  readonly id: string;
  readonly organization: string;
  readonly number: string;
  readonly amountDue: number;
  readonly amountPaid: number;
  readonly currency: string;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly status: 'open' | 'paid' | 'payment_failed';
  readonly failureReason?: string;
}

/** One line of what happened. */
export interface LogEvent {
  readonly id: string;
  readonly at: number;
  /** `<subject>.<past participle>`, for instance `generation.completed`. */
  readonly type: string;
  readonly organization?: string;
  readonly project?: string;
  /** Id of the row that it is about. */
  readonly subject?: string;
  readonly data?: { readonly [key: string]: Json };
}

/** One line of what was asked. */
export interface RequestEntry {
  readonly id: string;
  readonly requestId: string;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly operation?: string;
  readonly organization?: string;
  readonly project?: string;
  /** Id of the API key, or `sub` of the token. */
  readonly actor?: string;
  /** Came under an idempotency key. The key itself is kept nowhere: it opens what is sealed under it. */
  readonly idempotent?: true;
  /** The JSON body, secrets taken out. */
  readonly body?: Json;
  /** Length of the body as it was sent. */
  readonly bytes?: number;
  readonly status: number;
  /** The problem document of a refusal. */
  readonly problem?: { readonly [key: string]: Json };
  readonly durationMs: number;
}

export interface Fault {
  readonly id: string;
  /** Exactly one of the two: an operationId, or a delivery's event; `*` strikes all. */
  readonly operation?: string;
  readonly delivery?: string;
  /** Times left; without it the fault stays. */
  readonly times?: number;
  /** 0 to 1, drawn under the seed. */
  readonly probability?: number;
  readonly effect: { readonly [key: string]: Json };
}

/** A counter or a random stream that has to survive a restart. */
export interface Counter {
  readonly id: string;
  readonly value: number;
  readonly text?: string;
}

/** A credential's token bucket. */
export interface Bucket {
  readonly id: string;
  readonly left: number;
  readonly at: number;
}

export interface Tables {
  organizations: Organization;
  projects: Project;
  apiKeys: ApiKey;
  generations: Generation;
  webhooks: Webhook;
  deliveries: Delivery;
  jobs: Job;
  idempotency: IdempotencyEntry;
  usage: UsagePeriod;
  thresholdMarks: ThresholdMark;
  invoices: Invoice;
  events: LogEvent;
  requests: RequestEntry;
  faults: Fault;
  counters: Counter;
  buckets: Bucket;
}

export type TableName = keyof Tables;

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
