import type { DeliveryView } from '../../index.ts';
import { relativeTime } from './format.ts';
import { quote } from './snippets.ts';

type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain';

export interface Cause {
  readonly tone: Tone;
  /** `retrying · 404 · next in 2 min`. */
  readonly text: string;
}

type Attempt = DeliveryView['attempts'][number];
type Judged = Pick<DeliveryView, 'status' | 'attempts' | 'attemptsBefore' | 'nextAttemptAt'>;

/** What the receiver responded, or what kept it from responding: `404`, `timeout`. */
export function codeOf({ status, error }: Attempt): string {
  return status === undefined ? (error ?? '').replaceAll('_', ' ') : String(status);
}

/** What became of a delivery so far, and why; `now` is the server's time. */
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
  timeout: 'No response within 15 s.',
  refused: 'Nothing listens at this address.',
  reset: 'The connection ended before the response did.',
  certificate: 'The certificate of the receiver is not trusted.',
  connection: 'The connection failed.',
  dns: 'The host name could not be resolved.',
  refused_address: 'The address is private or reserved, so nothing was sent.',
  status: 'Any response other than 2xx is a failure and is retried.',
};

/** Why an attempt failed, as a sentence. */
export function reasonOf({ error, reason }: Attempt): string | undefined {
  return error === undefined ? undefined : (reason ?? reasons[error]);
}

/** `name: value`, one header a line. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** The headers of an attempt that a receiver needs to verify it. */
export function sentHeaders({ requestHeaders = {} }: Attempt): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', ...requestHeaders };
}

/** The attempt with curl, for a POSIX shell: the same bytes under the same signature. */
export function replayCommand(
  { url, body }: Pick<DeliveryView, 'url' | 'body'>,
  attempt: Attempt | undefined,
): string {
  const headers = attempt ? Object.entries(sentHeaders(attempt)) : [];
  const lines = headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  if (attempt?.tokenHeader) lines.push(`-H "${attempt.tokenHeader}: $CONTENTGEN_WEBHOOK_TOKEN"`);
  // --data-raw, unlike -d, sends a body that begins with @ as it is.
  return [`curl -i ${quote(url)}`, ...lines, `--data-raw ${quote(body)}`].join(' \\\n  ');
}
