import type { Context } from './context.ts';
import type { LogEvent } from './records.ts';
import { redactLogged } from './redact.ts';

type Facts = Omit<LogEvent, 'id' | 'at'>;

const LINE_BYTES = 320;

export function weightOfEvent({ data }: LogEvent): number {
  let bytes = LINE_BYTES;
  for (const name in data) {
    const value = data[name];
    if (typeof value === 'string') bytes += value.length;
  }
  return bytes;
}

export function appendEvent(context: Context, facts: Facts): void {
  const { events } = context.logs;
  const { type, organization, project, subject, data } = facts;
  const at = context.ports.clock.now();
  const event: LogEvent = { id: events.nextId(), at, type, organization, project, subject, data };
  events.add(event);
  context.history.trim();
}

/** A line as it is shown: a secret in a callback URL or a message is redacted. */
export function redactEvent(event: LogEvent): LogEvent {
  if (!event.data) return event;
  const data = Object.entries(event.data).map(([name, value]) => [
    name,
    typeof value === 'string' ? redactLogged(value) : value,
  ]);
  return { ...event, data: Object.fromEntries(data) };
}

export function logChange(
  context: Context,
  { id, organization, project }: ChangedRow,
  type: string,
  data: NonNullable<Facts['data']>,
): void {
  appendEvent(context, { type, organization, project, subject: id, data });
}

interface ChangedRow {
  readonly id: string;
  readonly organization: string;
  readonly project?: string;
}
