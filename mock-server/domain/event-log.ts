import type { Context } from './context.ts';
import { newSerialId } from './ids.ts';
import type { LogEvent } from './records.ts';
import { redactLogged } from './redact.ts';

type Facts = Omit<LogEvent, 'id' | 'at'>;

/**
 * How many lines a log can reach before the oldest are dropped. Those beyond the limit are dropped together, because
 * dropping many rows costs a store little more than dropping one.
 */
export const linesBeforeDropping = (limit: number): number => limit + Math.floor(limit / 20);

/** Appends a line and drops the oldest beyond the limit. A secret in a callback URL or a message is redacted. */
export function appendEvent(context: Context, facts: Facts): void {
  const events = context.store.table('events');
  const id = newSerialId(context.store, 'evt', 'events');
  const event = eventOf(id, context.ports.clock.now(), facts);
  events.put(event);
  context.observe(event);
  const { logLimit } = context.settings;
  if (events.count() <= linesBeforeDropping(logLimit)) return;
  for (const { id } of events.oldest({ limit: events.count() - logLimit })) events.delete(id);
}

/** Most lines have every member, and one object literal takes half the memory of an object built by spreading. */
function eventOf(id: string, at: number, facts: Facts): LogEvent {
  const { type, organization, project, subject } = facts;
  const data = facts.data && redactValues(facts.data);
  const complete = organization !== undefined && project !== undefined && subject !== undefined;
  return complete && data
    ? { id, at, type, organization, project, subject, data }
    : { id, at, ...facts, ...(data && { data }) };
}

/** The same object unless one of its strings contains a secret. */
function redactValues(data: NonNullable<Facts['data']>): NonNullable<Facts['data']> {
  let redacted = data;
  for (const name of Object.keys(data)) {
    const value = data[name];
    if (typeof value !== 'string') continue;
    const kept = redactLogged(value);
    if (kept !== value) redacted = { ...redacted, [name]: kept };
  }
  return redacted;
}

/** Appends a change of a row that belongs to an organization or one of its projects. */
export function logChange(
  context: Context,
  row: { readonly id: string; readonly organization: string; readonly project?: string },
  type: string,
  data: NonNullable<Facts['data']>,
): void {
  const { id, organization, project } = row;
  appendEvent(context, {
    type,
    organization,
    ...(project !== undefined && { project }),
    subject: id,
    data,
  });
}
