import { timeOfId } from '../../domain/ids.ts';
import { checkedLater, mustBe, type OptionRules, text } from '../../domain/options.ts';
import type { Delivery, RequestEntry } from '../../domain/records.ts';

/** Which rows match; every condition that is set must hold. Text is compared without regard to case. */
export interface LogFilter {
  /** Only rows of this organization. @default all organizations */
  readonly organization?: string;
  /**
   * A delivery's status, or `retrying` for one that has failed and will be retried; a request's, such as `404`, `4xx`
   * or `problem` (400 and above); the type of an event, or a prefix such as `delivery.`.
   */
  readonly status?: string;
  /** Only rows at or after this time, RFC 3339. */
  readonly since?: string;
  /** Words that must all occur somewhere in the row: its time in RFC 3339, ids, names, URLs, bodies, errors. */
  readonly text?: string;
}

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

export interface Row {
  readonly id: string;
  readonly organization?: string | undefined;
  readonly at?: number;
  readonly createdAt?: number;
}

export type StatusTest<Kind> = (row: Kind, wanted: string, now: number) => boolean;

export const isDeliveryStatus: StatusTest<Delivery> = (row, wanted) =>
  wanted === 'retrying' ? isRetrying(row) : row.status === wanted;

/** Whether a delivery is pending after a failed attempt. */
function isRetrying({ status, attempts, attemptsBefore = 0 }: Delivery): boolean {
  return status === 'pending' && attempts.length > attemptsBefore;
}

/** Whether a request was rejected or failed. */
export const isProblem = ({ status }: RequestEntry): boolean => status >= 400;

function wordsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.values(value).map(wordsOf).join('\n');
}

/** Returns a function that says whether a row matches every condition that is set. `view` is what is shown of a row. */
export function matcher<Kind extends Row>(
  isStatus: StatusTest<Kind>,
  view: (row: Kind) => unknown,
  { organization, since, text = '', ...filter }: LogFilter,
  now: number,
): (row: Kind) => boolean {
  const status = filter.status && String(filter.status);
  const from = since === undefined ? undefined : Date.parse(since);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const timeOf = ({ at, createdAt, id }: Row) => at ?? createdAt ?? timeOfId(id);
  const hasWords = (row: Kind) => {
    const all = wordsOf(view(row)).toLowerCase();
    return words.every((word) => all.includes(word));
  };
  return (row) =>
    (!organization || row.organization === organization) &&
    (from === undefined || timeOf(row) >= from) &&
    (!status || isStatus(row, status, now)) &&
    (words.length === 0 || hasWords(row));
}
