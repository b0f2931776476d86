import { type RedactedRequest, redactRequest } from '../../api/request-log.ts';
import { statusOf } from '../../domain/api-keys.ts';
import { redactEvent } from '../../domain/event-log.ts';
import { timeOfId } from '../../domain/ids.ts';
import { checkedLater, mustBe, type OptionRules, text } from '../../domain/options.ts';
import { timestamp } from '../../domain/periods.ts';
import type {
  ApiKey,
  Attempt,
  Delivery,
  Generation,
  Invoice,
  LogEvent,
  RequestEntry,
  Webhook,
} from '../../domain/records.ts';

/** Which rows match; every condition that is set must hold. Text is compared without regard to case. */
export interface LogFilter {
  /** Only rows of this organization. @default all organizations */
  readonly organization?: string;
  /**
   * A delivery's status, or `retrying` for one that has failed and will be retried; a request's, such as `404`, `4xx`
   * or `problem` (400 and above, without the probes of `contentgen doctor`); the type of an event, or a prefix such as
   * `delivery.`.
   */
  readonly status?: string;
  /** Only rows at or after this time, RFC 3339. */
  readonly since?: string;
  /** Words that must all occur somewhere in the row: its time in RFC 3339, ids, names, URLs, bodies, errors. */
  readonly text?: string;
}

/** What each condition can be. */
export const filterRules: OptionRules<LogFilter> = {
  organization: text,
  // People write 404 without quotes.
  status: checkedLater,
  since: mustBe(
    "a time such as '2026-02-01T00:00:00Z'",
    (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  ),
  text: mustBe('a string', (value) => typeof value === 'string'),
};

/** How a filter reads a row. It reads only what its conditions need. */
export interface Subject<Row> {
  at(row: Row): number;
  isStatus(row: Row, status: string, now: number): boolean;
  /** Everything that the text search sees. */
  words(row: Row): readonly unknown[];
}

export interface Owned {
  readonly id: string;
  readonly organization?: string | undefined;
}

const isStatus = (row: { readonly status: string }, status: string) => row.status === status;

export const deliverySubject: Subject<Delivery> = {
  at: (row) => row.createdAt,
  isStatus: (row, status) => (status === 'retrying' ? isRetrying(row) : row.status === status),
  words({ id, messageId, webhookId, requestId, event, url, status, body, attempts }) {
    return [id, messageId, webhookId, requestId, event, url, status, body].concat(
      attempts.flatMap(({ status, error, reason, response }: Attempt) =>
        [status?.toString(), error, reason, response].filter((part) => part !== undefined),
      ),
    );
  },
};

/** Whether a delivery is pending after a failed attempt. */
export function isRetrying({ status, attempts, attemptsBefore = 0 }: Delivery): boolean {
  return status === 'pending' && attempts.length > attemptsBefore;
}

/** The `X-Request-Id` of requests by which `contentgen doctor` looks at a server. */
export const PROBE_ID = 'contentgen-doctor';

/** Whether a request was rejected or failed; a probe is meant to be. */
export const isProblem = ({ status, requestId }: RequestEntry): boolean =>
  status >= 400 && requestId !== PROBE_ID;

export const requestSubject: Subject<RequestEntry> = {
  at: (row) => row.at,
  isStatus(row, wanted) {
    const { status } = row;
    if (wanted === 'problem') return isProblem(row);
    return wanted.endsWith('xx') ? String(status)[0] === wanted[0] : String(status) === wanted;
  },
  words: (row) => wordsOfRequest(redactRequest(row)),
};

const wordsOfRequest = (row: RedactedRequest): readonly unknown[] => {
  const { id, requestId, method, path, operation, actor, status, problem, body } = row;
  return [
    `${method} ${path}`,
    ...[requestId, operation, actor, status, id],
    problem && JSON.stringify(problem),
    body === undefined ? undefined : JSON.stringify(body),
  ];
};

export const eventSubject: Subject<LogEvent> = {
  at: (row) => row.at,
  isStatus: ({ type }, wanted) =>
    type === wanted || (wanted.endsWith('.') && type.startsWith(wanted)),
  words(row) {
    const { id, type, subject, data } = redactEvent(row);
    return [id, type, subject, data && JSON.stringify(data)];
  },
};

export const generationSubject: Subject<Generation> = {
  at: (row) => row.createdAt,
  isStatus,
  words: ({ id, status, model, prompt, result, error, webhookUrl, metadata, apiRequestId }) => [
    ...[id, status, model, prompt, result, error?.message, webhookUrl, apiRequestId],
    metadata && JSON.stringify(metadata),
  ],
};

export const webhookSubject: Subject<Webhook> = {
  at: (row) => row.createdAt,
  isStatus: (row, status) =>
    status === 'failing' ? row.failingSince !== undefined : row.status === status,
  words: ({ id, event, url, description, status }) => [id, event, url, description, status],
};

export const apiKeySubject: Subject<ApiKey> = {
  at: (row) => row.createdAt,
  isStatus: (row, status, now) => statusOf(row, now) === status,
  words: ({ id, name, role, hint, createdBy }) => [id, name, role, hint, createdBy],
};

export const invoiceSubject: Subject<Invoice> = {
  at: (row) => timeOfId(row.id),
  isStatus,
  words: ({ id, number, status, currency, amountDue, failureReason }) => [
    ...[id, number, status, currency, failureReason],
    (amountDue / 100).toFixed(2),
  ],
};

type Matches<Row> = (row: Row) => boolean;

/** Returns a function that says whether a row matches; undefined if the filter sets no condition. */
export function matcher<Row extends Owned>(
  subject: Subject<Row>,
  { organization, since, text, ...filter }: LogFilter,
  now: number,
): Matches<Row> | undefined {
  const status = filter.status && String(filter.status);
  const from = since === undefined ? undefined : Date.parse(since);
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const tests: Matches<Row>[] = [];
  if (organization) tests.push((row) => row.organization === organization);
  if (from !== undefined) tests.push((row) => subject.at(row) >= from);
  if (status) tests.push((row) => subject.isStatus(row, status, now));
  if (words.length > 0) {
    tests.push((row) => {
      const seen = [timestamp(subject.at(row)), ...subject.words(row)];
      const all = seen.join('\n').toLowerCase();
      return words.every((word) => all.includes(word));
    });
  }
  return tests.length === 0 ? undefined : (row) => tests.every((matches) => matches(row));
}
