import { statusOf } from '../../domain/api-keys.ts';
import { timeOfId } from '../../domain/ids.ts';
import {
  checkedLater,
  flag,
  isText,
  listOf,
  mustBe,
  type OptionRules,
  text,
} from '../../domain/options.ts';
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
  /** Only rows of this organization. */
  readonly organization?: string;
  /** Also rows without an organization, such as requests that failed to authenticate. @default false */
  readonly anonymous?: boolean;
  /** Only rows of this project, or of no project. */
  readonly project?: string;
  /**
   * A delivery's status, or `retrying` for one that has failed and will be retried; a request's, such as `404`, `4xx`
   * or `problem` (400 and above, without the probes of `contentgen doctor`); the status of a generation, an API key, a registration or an invoice.
   */
  readonly status?: string;
  /** The event of a delivery or registration; the type of a line of the event log, or a prefix such as `delivery.`. */
  readonly event?: string;
  /** What went wrong: a problem's code, a receiver's status such as `503`, the error of an attempt or generation, or why a payment failed. */
  readonly code?: string;
  /** A part of the URL, or of a request's path. */
  readonly url?: string;
  /** Only rows at or after this time, RFC 3339. */
  readonly since?: string;
  /** Only rows before this time, RFC 3339. */
  readonly until?: string;
  /** Words that must all occur somewhere in the row: ids, names, URLs, bodies, errors. */
  readonly text?: string;
  /** Only deliveries of this registration. */
  readonly webhook?: string;
  /** Only rows with these ids. */
  readonly ids?: readonly string[];
  /** Leaves out the requests of this API key or user. */
  readonly exceptActor?: string;
}

const time = mustBe(
  "a time such as '2026-02-01T00:00:00Z'",
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
);

/** What each condition can be. */
export const filterRules: OptionRules<LogFilter> = {
  organization: text,
  anonymous: flag,
  project: text,
  // People write 404 without quotes.
  status: checkedLater,
  event: checkedLater,
  code: checkedLater,
  url: checkedLater,
  since: time,
  until: time,
  text: checkedLater,
  webhook: checkedLater,
  ids: listOf('ids', isText),
  exceptActor: checkedLater,
};

/** How a filter reads a row. It reads only what its conditions need. */
export interface Subject<Row> {
  at(row: Row): number;
  isStatus?(row: Row, status: string, now: number): boolean;
  isEvent?(row: Row, event: string): boolean;
  codes?(row: Row): readonly (string | number | undefined)[];
  url?(row: Row): string | undefined;
  /** Everything that the text search sees. */
  words(row: Row): readonly unknown[];
}

export interface Owned {
  readonly id: string;
  readonly organization?: string;
  readonly project?: string;
}

const isStatus = (row: { readonly status: string }, status: string) => row.status === status;

export const deliverySubject: Subject<Delivery> = {
  at: (row) => row.createdAt,
  isStatus: (row, status) => (status === 'retrying' ? isRetrying(row) : row.status === status),
  isEvent: (row, event) => row.event === event,
  codes: ({ attempts }) => [attempts.at(-1)?.status, attempts.at(-1)?.error],
  url: (row) => row.url,
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
  codes: ({ problem, status }) => [problem?.['code'] as string | undefined, status],
  url: (row) => row.path,
  words: ({ requestId, method, path, operation, actor, status, problem, body, id }) => [
    `${method} ${path}`,
    ...[requestId, operation, actor, status, id],
    problem && JSON.stringify(problem),
    body === undefined ? undefined : JSON.stringify(body),
  ],
};

export const eventSubject: Subject<LogEvent> = {
  at: (row) => row.at,
  isEvent: ({ type }, event) => type === event || (event.endsWith('.') && type.startsWith(event)),
  codes: ({ data }) => [data?.['code'], data?.['error'], data?.['status']] as string[],
  url: ({ data }) => data?.['url'] as string | undefined,
  words: ({ id, type, subject, data }) => [id, type, subject, data && JSON.stringify(data)],
};

export const generationSubject: Subject<Generation> = {
  at: (row) => row.createdAt,
  isStatus,
  codes: ({ error }) => [error?.code],
  url: (row) => row.webhookUrl,
  words: ({ id, status, model, prompt, result, error, webhookUrl, metadata, apiRequestId }) => [
    ...[id, status, model, prompt, result, error?.message, webhookUrl, apiRequestId],
    metadata && JSON.stringify(metadata),
  ],
};

export const webhookSubject: Subject<Webhook> = {
  at: (row) => row.createdAt,
  isStatus: (row, status) =>
    status === 'failing' ? row.failingSince !== undefined : row.status === status,
  isEvent: (row, event) => row.event === event,
  url: (row) => row.url,
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
  codes: (row) => [row.failureReason],
  words: ({ id, number, status, currency, amountDue, failureReason }) => [
    ...[id, number, status, currency, failureReason],
    (amountDue / 100).toFixed(2),
  ],
};

type Matches<Row> = (row: Row) => boolean;

/** Returns a function that says whether a row matches; undefined if the filter sets no condition. */
export function matcher<Row extends Owned>(
  subject: Subject<Row>,
  filter: LogFilter,
  now: number,
): Matches<Row> | undefined {
  const { organization, anonymous, project, event, code, url, text, webhook, ids } = filter;
  const { exceptActor } = filter;
  const status = filter.status && String(filter.status);
  const nobody = anonymous ? organization : undefined;
  const tests: Matches<Row>[] = [...timeTests(subject, filter)];
  const lower = (value: unknown) => String(value ?? '').toLowerCase();
  if (ids) tests.push((row) => ids.includes(row.id));
  if (organization) tests.push((row) => (row.organization ?? nobody) === organization);
  if (project) tests.push((row) => (row.project ?? project) === project);
  if (webhook) tests.push((row) => (row as { webhookId?: string }).webhookId === webhook);
  if (exceptActor) tests.push((row) => (row as { actor?: string }).actor !== exceptActor);
  if (status) tests.push((row) => subject.isStatus?.(row, status, now) ?? false);
  if (event) tests.push((row) => subject.isEvent?.(row, event) ?? false);
  if (code) tests.push((row) => subject.codes?.(row).map(lower).includes(lower(code)) ?? false);
  if (url) tests.push((row) => lower(subject.url?.(row)).includes(lower(url)));
  const words = lower(text).split(/\s+/).filter(Boolean);
  if (words.length > 0) {
    tests.push((row) => {
      const all = subject.words(row).join('\n').toLowerCase();
      return words.every((word) => all.includes(word));
    });
  }
  return tests.length === 0 ? undefined : (row) => tests.every((matches) => matches(row));
}

function timeTests<Row>(subject: Subject<Row>, { since, until }: LogFilter): Matches<Row>[] {
  const tests: Matches<Row>[] = [];
  if (since !== undefined) tests.push((row) => subject.at(row) >= Date.parse(since));
  if (until !== undefined) tests.push((row) => subject.at(row) < Date.parse(until));
  return tests;
}
