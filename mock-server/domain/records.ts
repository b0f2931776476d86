import type { components } from '../contract.ts';
import type { CallbackEvent, SystemEvent } from './event-names.ts';

export type { CallbackEvent, SystemEvent };

type Schemas = components['schemas'];

/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

// Rows as the store keeps them: plain JSON, times in milliseconds since the Unix epoch. An undefined member is the same
// as an absent one: rows stored by the thousand all have one shape, which takes less memory.

export interface Organization {
  readonly id: string;
  /** Selects the random stream that the organization draws from, so that parallel organizations do not disturb each other. */
  readonly rngStream: number;
  /** Tokens per calendar month. */
  readonly quota: number;
  /** Created because a trusted token named it. */
  readonly external?: true;
  readonly createdAt: number;
}

export interface SigningSecret {
  /** `whsec_…` */
  readonly secret: string;
  readonly createdAt: number;
  /** Set when a newer secret has replaced it: until this time, both sign. */
  readonly expiresAt?: number;
}

export interface Project {
  readonly id: string;
  readonly organization: string;
  /** Sign the result callbacks. Newest first. */
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

export type TokenUsage = Readonly<Schemas['TokenUsage']>;

export interface Generation {
  readonly id: string;
  readonly organization: string;
  readonly project: string;
  readonly status: GenerationStatus;
  readonly delivery: 'response' | 'stream' | 'callback';
  readonly model: string;
  /** Only until it ends, and not if the server keeps no bodies. */
  readonly prompt?: string | undefined;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly result?: string | undefined;
  /** Lengths of the pieces in which the text was streamed. */
  readonly pieces?: readonly number[] | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly webhookUrl?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The `X-Request-Id` of the call that started it. */
  readonly apiRequestId?: string | undefined;
  readonly createdAt: number;
  readonly completedAt?: number | undefined;
}

export interface Webhook {
  readonly id: string;
  readonly organization: string;
  readonly project: string;
  readonly event: SystemEvent;
  readonly url: string;
  readonly description?: string;
  /** Share of the quota; set only for `usage_threshold`. */
  readonly threshold?: number;
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason?: string;
  /** When the current run of failures began; absent after a success. */
  readonly failingSince?: number;
  readonly token?: string;
  /** Newest first. */
  readonly secrets: readonly SigningSecret[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Why no response came. */
export type TransportError = Exclude<Schemas['DeliveryAttempt']['error'], 'status' | undefined>;

export interface Attempt {
  readonly at: number;
  readonly status?: number | undefined;
  readonly durationMs: number;
  readonly error?: TransportError | 'status' | undefined;
  /** Why the attempt failed, as a human-readable sentence. */
  readonly reason?: string | undefined;
  /** At most 1 KiB of the response body. */
  readonly response?: string | undefined;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
  /** The headers that signed the attempt; shown only by the control API. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** What became of the copies that a fault sent after it. */
  readonly copies?: readonly AttemptCopy[] | undefined;
}

/** How a copy of an attempt ended: the status of the response, or the error if none came. */
export type AttemptCopy = Pick<Attempt, 'status' | 'error'>;

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
  /** Frozen when queued: every attempt sends exactly this text as UTF-8. */
  readonly body: string;
  /** Headers that a test asked for, in lower case, instead of the server's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly status: 'pending' | 'delivered' | 'failed' | 'canceled';
  readonly createdAt: number;
  readonly nextAttemptAt?: number | undefined;
  readonly attempts: readonly Attempt[];
  /** Attempts made before the last redelivery; the retry schedule counts from there. */
  readonly attemptsBefore?: number | undefined;
  /** The fault that keeps the next attempt waiting on the server's clock: no other fault applies to that attempt. */
  readonly held?: 'delay' | 'reorder' | undefined;
  /** The faults that struck it, each with the number of the attempt, from 1. */
  readonly faults?: readonly { readonly attempt: number; readonly effect: string }[] | undefined;
}

/** Work to do at a given time. Ids sort by due time, so the table's order is the order of execution. */
export interface Job {
  readonly id: string;
  readonly at: number;
  readonly kind: JobKind;
  readonly ref: string;
}

export type JobKind =
  | 'generation.complete'
  | 'delivery.attempt'
  | 'usage.period_end'
  | 'idempotency.sweep';

export interface IdempotencyEntry {
  readonly id: string;
  /** Project, and SHA-256 over the caller's key and its scope: the operation and its path parameters. */
  readonly key: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body?: string;
  /** The generation whose record a replay is rendered from, so that `retention` bounds what is kept. */
  readonly generation?: string;
  /** The secret that was taken out of `body`, encrypted. */
  readonly secret?: { readonly field: string; readonly sealed: string; readonly expiresAt: number };
  readonly expiresAt: number;
}

/** What one organization used in one calendar month (UTC). */
export interface UsagePeriod {
  /** `<organization>:<period start in ms>` */
  readonly id: string;
  readonly organization: string;
  readonly periodStart: number;
  readonly used: number;
  readonly requests: number;
  /** Below this usage, no registration is notified, as long as the quota is the one it was computed for. */
  readonly quietBelow?: { readonly used: number; readonly quota: number } | undefined;
}

/** Records that a registration was notified in a period, so that it is notified only once. */
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

/** One line of the event log. */
export interface LogEvent {
  readonly id: string;
  readonly at: number;
  /** `<subject>.<past participle>`, for instance `generation.completed`. */
  readonly type: string;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly subject?: string | undefined;
  readonly data?: { readonly [key: string]: Json } | undefined;
}

/** One line of the request log, as the request came: what is shown of it is redacted. */
export interface RequestEntry {
  readonly id: string;
  readonly requestId: string;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly operation?: string | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  /** Id of the API key, or `sub` of the token. */
  readonly actor?: string | undefined;
  readonly text?: string | undefined;
  readonly bytes?: number | undefined;
  readonly status: number;
  readonly fault?: string | undefined;
  readonly problem?: { readonly [key: string]: unknown } | undefined;
  readonly durationMs: number;
}

export interface Fault {
  readonly id: string;
  readonly organization?: string;
  /** Either an operationId or a delivery's event, never both; `*` matches all. */
  readonly operation?: string;
  readonly delivery?: string;
  /** How many times it still applies; without it, always. */
  readonly times?: number;
  /** 0 to 1, drawn from the seed. */
  readonly probability?: number;
  readonly effect: { readonly [key: string]: Json };
  /** Whether a call or an attempt has matched it. */
  readonly matched?: true;
}

/** A counter or a random stream's position, kept so that it survives a restart. */
export interface Counter {
  readonly id: string;
  readonly value: number;
  readonly text?: string;
}

/** A credential's token bucket for the rate limit. */
export interface Bucket {
  readonly id: string;
  readonly left: number;
  readonly at: number;
}

/** A key pair that signs users' tokens. */
export interface SigningKey {
  /** Its algorithm: `ES256`. */
  readonly id: string;
  readonly kid: string;
  /** The private key as a JSON Web Key. */
  readonly jwk: { readonly [key: string]: Json };
}

/** The tables of a store, each with its row. */
export interface Tables {
  /** Organizations, with their quota. */
  organizations: Organization;
  /** Projects, with their signing secret. */
  projects: Project;
  /** API keys, as hashes. */
  apiKeys: ApiKey;
  /** Generations, with their results. */
  generations: Generation;
  /** Registrations for events. */
  webhooks: Webhook;
  /** Deliveries, with their attempts. */
  deliveries: Delivery;
  /** Jobs to run at a given time. */
  jobs: Job;
  /** Responses by idempotency key. */
  idempotency: IdempotencyEntry;
  /** Usage by period. */
  usage: UsagePeriod;
  /** Thresholds that have been reached. */
  thresholdMarks: ThresholdMark;
  /** Invoices. */
  invoices: Invoice;
  /** Faults that tests have added. */
  faults: Fault;
  /** Counters and other single values. */
  counters: Counter;
  /** The rate limit of each credential. */
  buckets: Bucket;
  /** The keys that sign access tokens. */
  signingKeys: SigningKey;
}

/** The name of a table. */
export type TableName = keyof Tables;

const ROW_BYTES = 1024;
/** An attempt keeps its signature, and up to 1 KiB of the response and 2 KiB of its headers. */
const ATTEMPT_BYTES = 2048;

/** Roughly what a row that has ended takes in memory, in bytes. */
export const weights = {
  generations: ({ result = '' }: Generation) => ROW_BYTES + 2 * result.length,
  deliveries: ({ body, attempts }: Delivery) =>
    ROW_BYTES + 2 * body.length + ATTEMPT_BYTES * attempts.length,
};

type IndexesOf<Row> = Readonly<Record<string, (row: Row) => string | undefined>>;

/** A row is found under the key that each function returns; undefined keeps it out of that index. */
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
    callbacksStatus: (row) =>
      row.webhookId === undefined ? `${row.project}:${row.status}` : undefined,
    subjectStatus: (row) => `${row.webhookId ?? row.requestId}:${row.status}`,
    reordered: (row) => (row.held === 'reorder' ? row.url : undefined),
  },
  jobs: {
    ref: (row) => row.ref,
  },
  idempotency: { key: (row) => row.key },
  usage: {},
  thresholdMarks: {},
  invoices: { organization: (row) => row.organization },
  faults: {},
  counters: {},
  buckets: {},
  signingKeys: {},
};
