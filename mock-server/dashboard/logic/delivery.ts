import type { DeliveryView } from '../../index.ts';
import { relativeTime } from './format.ts';
import { quote } from './snippets.ts';

type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain';

export interface Cause {
  readonly tone: Tone;
  /** `retrying · 404 · next in 2 min`. */
  readonly text: string;
}

/** How far the time of a delivery may be from a receiver's clock by default, in seconds. */
export const toleranceS = 300;

type Attempt = DeliveryView['attempts'][number];
type Judged = Pick<DeliveryView, 'status' | 'attempts' | 'attemptsBefore' | 'nextAttemptAt'>;

/** The receiver's status, or what kept it from responding: `404`, `timeout`. */
export function codeOf({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  return status === undefined ? (error ?? '').replaceAll('_', ' ') : String(status);
}

/** The state of a delivery and the reason for it; `now` is the server's time. */
export function causeOf(delivery: Judged, now: number): Cause {
  const { status, attempts, attemptsBefore = 0, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  const code = last && codeOf(last);
  if (status !== 'pending') {
    const tone = { delivered: 'good', failed: 'bad', canceled: 'plain' } as const;
    return { tone: tone[status], text: code ? `${status} · ${code}` : status };
  }
  const due = nextAttemptAt === undefined ? now : Date.parse(nextAttemptAt);
  const soon = due <= now + 500;
  if (attempts.length <= attemptsBefore) {
    return { tone: 'accent', text: soon ? 'queued' : `queued · ${dueIn(due, now)}` };
  }
  const next = soon ? 'attempting now' : `next ${dueIn(due, now)}`;
  return { tone: 'warn', text: `retrying · ${code} · ${next}` };
}

/** `in 2 min`. */
function dueIn(at: number, now: number): string {
  return relativeTime(at, now).replace('just now', 'in 1 sec').replace(/\.$/, '');
}

const reasons: Readonly<Record<string, string>> = {
  timeout: 'The receiver did not respond within 15 s.',
  refused: 'Nothing is listening at this address.',
  reset: 'The connection was closed before the response was complete.',
  certificate: "The receiver's certificate is not trusted.",
  connection: 'The connection failed.',
  dns: 'The host name could not be resolved.',
  refused_address: 'The address is private or reserved, so nothing was sent.',
  status: 'Every response other than 2xx counts as a failure.',
};

/** Why an attempt failed, as a sentence. */
export function reasonOf({ error, reason }: Attempt): string | undefined {
  return error === undefined ? undefined : (reason ?? reasons[error]);
}

/** `name: value`, one header per line. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** The headers of an attempt that a receiver needs to verify it. */
export function sentHeaders({ requestHeaders = {} }: Attempt): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', ...requestHeaders };
}

/** A curl command for a POSIX shell that repeats the attempt: the same bytes and the same signature. */
export function replayCommand(
  { url, body }: Pick<DeliveryView, 'url' | 'body'>,
  attempt: Attempt | undefined,
): string {
  const headers = attempt ? Object.entries(sentHeaders(attempt)) : [];
  const lines = headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  if (attempt?.tokenHeader) lines.push(`-H "${attempt.tokenHeader}: $CONTENTGEN_WEBHOOK_TOKEN"`);
  // Unlike -d, --data-raw does not read a file if the body begins with @.
  return [`curl -i ${quote(url)}`, ...lines, `--data-raw ${quote(body)}`].join(' \\\n  ');
}
