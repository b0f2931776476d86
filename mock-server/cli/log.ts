import { codeIn, rejectionAdvice } from '../../src/testing/rejection-advice.ts';
import { internalsOf } from '../composition/internals.ts';
import { eventView } from '../control/logs/logs.ts';
import { timestamp } from '../domain/periods.ts';
import type { RequestEntry } from '../domain/records.ts';
import { printable, redact } from '../domain/redact.ts';
import type { EventView, MockServer } from '../index.ts';
import type { Terminal } from './terminal.ts';

/** A callback URL without its query, which might hold secrets. */
function withoutQuery(url: unknown): string {
  if (typeof url !== 'string' || !URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** A request's id and its path are the caller's, so a secret in them is redacted. */
function requestLine(entry: RequestEntry, terminal: Terminal): string {
  const paint = terminal.paintErr;
  const { method, status, durationMs } = entry;
  const path = redact(entry.path.split('?', 1)[0] ?? '');
  const code = entry.problem?.['code'];
  const color = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const outcome = code === undefined ? String(status) : `${status} ${code}`;
  const facts = `${Math.round(durationMs)} ms  ${redact(entry.requestId)}`;
  return `${clock(timestamp(entry.at))}  ${method.padEnd(6)} ${path}  ${paint(color, outcome)}  ${paint('dim', facts)}`;
}

/** The receiver's own code, and what to do. */
interface Advice {
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
}

/** What to do about an attempt that got no response, after the reason that the server gives. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  refused: 'Start your server, or check the port.',
  dns: 'Check the URL.',
  timeout: 'Respond first and do the work later.',
};

function adviceOf(mock: MockServer, { subject = '' }: EventView): Advice {
  const {
    status = 0,
    response = '',
    error = '',
    reason,
  } = internalsOf(mock).delivery(subject)?.attempts.at(-1) ?? {};
  if (reason !== undefined) return { hint: [reason, NEXT_STEPS[error]].filter(Boolean).join(' ') };
  const code = codeIn(response);
  return { code, hint: rejectionAdvice(status, code) };
}

function deliveryLine(event: EventView, { code, hint }: Advice, terminal: Terminal): string {
  const paint = terminal.paintErr;
  const { data = {} } = event;
  const outcome = [data['status'] ?? data['error'], code].filter(Boolean).join(' ');
  const failed = data['error'] !== undefined;
  const facts = [
    data['attempt'] === undefined ? '' : `attempt ${data['attempt']}`,
    event.subject ?? '',
  ];
  const line = `${clock(event.at)}  ${paint('cyan', '→')}      ${data['event'] ?? 'delivery'} ${withoutQuery(data['url'])}  ${paint(failed ? 'red' : 'green', outcome)}  ${paint('dim', facts.filter(Boolean).join('  '))}`;
  return hint === undefined ? line : `${line}\n${' '.repeat(HINT_INDENT)}${paint('yellow', hint)}`;
}

function generationLine({ at, subject = '', data = {} }: EventView, terminal: Terminal): string {
  const paint = terminal.paintErr;
  return `${clock(at)}  ${paint('cyan', '✗')}      generation failed: ${printable(String(data['message'] ?? ''))}  ${paint('dim', subject)}`;
}

/** Aligned with the event in the line above. */
const HINT_INDENT = 18;

const clock = (at: string): string => at.slice(11, 19);

const dayOf = (at: string): string => at.slice(0, 10);

/** Joins the lines of one turn of the event loop, because writing is the expensive part. */
function batched(write: (lines: string) => void): (line: string) => void {
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) write(lines.join('\n'));
    lines = [];
  };
  process.on('exit', flush);
  return (line) => {
    if (lines.push(line) === 1) setImmediate(flush);
  };
}

/**
 * One line per request and per delivery attempt, on standard error, and the date where the day changes. Never a key, secret,
 * prompt or body.
 */
export function attachLog(mock: MockServer, terminal: Terminal): void {
  const print = batched((lines) => terminal.err(lines));
  let day = dayOf(timestamp(mock.clock.now()));
  const log = (at: string, line: string) => {
    if (dayOf(at) !== day) {
      day = dayOf(at);
      print(day);
    }
    print(line);
  };
  internalsOf(mock).onRequest((entry) => log(timestamp(entry.at), requestLine(entry, terminal)));
  internalsOf(mock).onEvent((line) => {
    const isAttempt = line.type.startsWith('delivery.') && line.data?.['attempt'] !== undefined;
    // Most events are not printed, and need not be redacted.
    if (!isAttempt && line.type !== 'generation.failed') return;
    const event = eventView(line);
    if (!isAttempt) return log(event.at, generationLine(event, terminal));
    // Most attempts succeed and need no explanation.
    const advice = event.data?.['error'] === undefined ? {} : adviceOf(mock, event);
    log(event.at, deliveryLine(event, advice, terminal));
  });
}

/** Logs an internal error of the server, also where nothing else is logged. */
export function logError(error: unknown, terminal: Terminal): void {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  terminal.err(`contentgen mock: ${isInternal(error) ? `Internal error: ${stack}` : message}`);
}

/** A full disk is not a bug in the server, and the message is enough, so the stack is omitted. */
const isInternal = (error: unknown): boolean =>
  !(error instanceof Error && error.name === 'DataFileError');
