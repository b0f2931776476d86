import { callbackEvents, systemEvents } from '../../domain/event-names.ts';
import {
  isObject,
  listOf,
  mustBe,
  numberFrom,
  type OptionRule,
  oneOf,
  text,
} from '../../domain/options.ts';
import type { JobKind, TableName, Tables } from '../../domain/records.ts';

type Required<Row> = {
  [Name in keyof Row]-?: object extends Pick<Row, Name> ? never : Name;
}[keyof Row];

/** One rule for each field that every row has. */
type RowRules<Row> = Readonly<Record<Required<Row>, OptionRule>>;

const JOBS: Readonly<Record<JobKind, true>> = {
  'generation.complete': true,
  'delivery.attempt': true,
  'usage.period_end': true,
  'idempotency.sweep': true,
  'retention.sweep': true,
};

const string = mustBe('a string', (value) => typeof value === 'string');
const number = numberFrom('a number', Number.NEGATIVE_INFINITY);
const amount = numberFrom('a number of 0 or more', 0);
const END_OF_TIME = Date.UTC(10_000, 0, 1);
const isTime = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value < END_OF_TIME;
const time = mustBe('a time in ms between 1970 and 9999', isTime);
const url = mustBe('an absolute URL', (value) => URL.canParse(String(value)));
const object = mustBe('an object', isObject);
const event = oneOf([...systemEvents, ...callbackEvents]);
const isSecret = (value: unknown) =>
  isObject(value) && typeof value['secret'] === 'string' && isTime(value['createdAt']);
const secrets = listOf('signing secrets', isSecret);
const attempts = listOf(
  'attempts, each with its time',
  (value) => isObject(value) && isTime(value['at']),
);

const owned = { id: text, organization: text, project: text };

/** Without these fields, a row cannot be served. */
export const requiredFields: { readonly [Name in TableName]: RowRules<Tables[Name]> } = {
  organizations: { id: text, rngStream: amount, quota: amount, createdAt: time },
  projects: {
    id: text,
    organization: text,
    secrets: mustBe(
      'a list of at least one signing secret',
      (value) => Array.isArray(value) && value.length > 0 && value.every(isSecret),
    ),
    createdAt: time,
  },
  apiKeys: {
    ...owned,
    name: string,
    role: oneOf(['admin', 'member']),
    hash: text,
    hint: string,
    createdAt: time,
    createdBy: string,
  },
  generations: {
    ...owned,
    status: oneOf(['processing', 'completed', 'failed', 'canceled']),
    delivery: oneOf(['response', 'stream', 'callback']),
    model: text,
    maxTokens: amount,
    createdAt: time,
  },
  webhooks: {
    ...owned,
    event,
    url,
    status: oneOf(['enabled', 'disabled']),
    secrets,
    createdAt: time,
    updatedAt: time,
  },
  deliveries: {
    ...owned,
    messageId: text,
    event,
    url,
    body: string,
    status: oneOf(['pending', 'delivered', 'failed', 'canceled']),
    createdAt: time,
    attempts,
  },
  jobs: { id: text, at: time, kind: oneOf(Object.keys(JOBS)), ref: string },
  idempotency: { id: text, key: text, fingerprint: text, status: amount, expiresAt: time },
  usage: { id: text, organization: text, periodStart: time, used: amount, requests: amount },
  thresholdMarks: { id: text, at: time },
  invoices: {
    id: text,
    organization: text,
    number: text,
    amountDue: amount,
    amountPaid: amount,
    currency: text,
    periodStart: time,
    periodEnd: time,
    status: oneOf(['open', 'paid', 'payment_failed']),
  },
  faults: { id: text, effect: object },
  counters: { id: text, value: number },
  buckets: { id: text, left: amount, at: time },
  signingKeys: { id: text, kid: text, jwk: object },
};

/** Wherever a row has them. */
export const optionalFields: Readonly<Record<string, OptionRule>> = {
  completedAt: time,
  description: string,
  error: object,
  expiresAt: time,
  failingSince: time,
  failureReason: string,
  headers: object,
  lastUsedAt: time,
  metadata: object,
  nextAttemptAt: time,
  prompt: string,
  result: string,
  revokedAt: time,
  text: string,
  threshold: amount,
  token: string,
  usage: object,
  webhookUrl: url,
};
