import type { Context } from './context.ts';
import { newSerialId } from './ids.ts';
import type { LogEvent } from './records.ts';

type Facts = Omit<LogEvent, 'id' | 'at'>;

/** Appends a line; beyond the limit the oldest goes. */
export function appendEvent(context: Context, facts: Facts): void {
  const events = context.store.table('events');
  const id = newSerialId(context.store, 'evt', 'events');
  const event = lineOf(id, context.ports.clock.now(), facts);
  events.put(event);
  context.observe(event);
  if (events.count() <= context.settings.logLimit) return;
  const [oldest] = events.oldest({ limit: 1 });
  if (oldest) events.delete(oldest.id);
}

/** Lines come by the thousand, mostly with every member: a literal takes half the room of what is put together. */
function lineOf(id: string, at: number, facts: Facts): LogEvent {
  const { type, organization, project, subject, data } = facts;
  const whole = organization !== undefined && project !== undefined && subject !== undefined;
  return whole && data
    ? { id, at, type, organization, project, subject, data }
    : { id, at, ...facts };
}

/** Appends what happened to a row of a project. */
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
