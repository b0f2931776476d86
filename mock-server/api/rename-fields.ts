import type { SystemEvent } from '../domain/records.ts';
import { isRejection, type Rejection } from '../domain/rejection.ts';
import type { ParsedBody } from './read-body.ts';
import { invalid } from './validate.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Gives the deployment's own callback field the contract's name; the contract's is then unknown. */
export function contractFields(
  parsed: ParsedBody,
  webhookUrlField: string,
): ParsedBody | Rejection {
  const body = parsed.json;
  if (webhookUrlField === 'webhookUrl' || !isFields(body)) return parsed;
  if (Object.hasOwn(body, 'webhookUrl')) {
    const message = 'The field is unknown.';
    return invalid([{ pointer: '/webhookUrl', code: 'unknown_field', message }]);
  }
  if (!Object.hasOwn(body, webhookUrlField)) return parsed;
  const { [webhookUrlField]: webhookUrl, ...rest } = body;
  return { json: { ...rest, webhookUrl } };
}

/** Turns faults of the contract's callback field into faults of the deployment's. */
export function deploymentPointers<T>(
  verdict: T | Rejection,
  webhookUrlField: string,
): T | Rejection {
  if (webhookUrlField === 'webhookUrl' || !isRejection(verdict) || !verdict.errors) return verdict;
  if (!verdict.errors.some(({ pointer }) => pointer === '/webhookUrl')) return verdict;
  const errors = verdict.errors.map((error) => {
    if (error.pointer !== '/webhookUrl') return error;
    const message = error.message.replace(/^webhookUrl\b/, () => webhookUrlField);
    return { ...error, pointer: `/${webhookUrlField}`, message };
  });
  return invalid(errors);
}

/** Takes an event by the deployment's name for it too. */
export function contractEvent(
  body: unknown,
  eventNames: Readonly<Partial<Record<SystemEvent, string>>>,
): unknown {
  if (!isFields(body) || typeof body['event'] !== 'string') return body;
  const own = Object.entries(eventNames).find(([, name]) => name === body['event']);
  return own ? { ...body, event: own[0] } : body;
}
