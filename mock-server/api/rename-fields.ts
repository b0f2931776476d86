import { isObject } from '../domain/is-object.ts';
import type { SystemEvent } from '../domain/records.ts';
import type { Rejection } from '../domain/rejection.ts';
import type { RoutedCall } from './call-context.ts';
import type { ParsedBody } from './read-body.ts';
import { operationDetailsOf } from './routes.ts';
import { invalid, UNKNOWN_FIELD } from './validate-body.ts';

/** The deployment's name for `webhookUrl`. It applies to generations only: a registration's `url` is another field. */
export function callbackFieldOf({ route, service }: RoutedCall): string {
  const isGeneration = operationDetailsOf(route.operation).body === 'GenerateRequest';
  return (isGeneration && service.options.webhookUrlField) || 'webhookUrl';
}

/** Renames the deployment's callback field to the contract's. The contract's own name is then an unknown field. */
export function toContractFields(json: unknown, callbackField: string): ParsedBody | Rejection {
  if (callbackField === 'webhookUrl' || !isObject(json)) return { json };
  if (Object.hasOwn(json, 'webhookUrl')) {
    return invalid([{ pointer: '/webhookUrl', ...UNKNOWN_FIELD }]);
  }
  if (!Object.hasOwn(json, callbackField)) return { json };
  const { [callbackField]: webhookUrl, ...rest } = json;
  return { json: { ...rest, webhookUrl } };
}

/** Renames the contract's callback field in the errors of a rejection to the deployment's. */
export function toOwnPointers(rejection: Rejection, callbackField: string): Rejection {
  const { errors } = rejection;
  if (callbackField === 'webhookUrl' || !errors) return rejection;
  if (!errors.some(({ pointer }) => pointer === '/webhookUrl')) return rejection;
  return invalid(
    errors.map((error) => {
      if (error.pointer !== '/webhookUrl') return error;
      const message = error.message.replace(/^webhookUrl\b/, () => callbackField);
      return { ...error, pointer: `/${callbackField}`, message };
    }),
  );
}

/** Accepts the deployment's name of an event as well as the contract's. */
export function toContractEvent(
  body: unknown,
  eventNames: Readonly<Partial<Record<SystemEvent, string>>>,
): unknown {
  if (!isObject(body) || typeof body['event'] !== 'string') return body;
  const own = Object.entries(eventNames).find(([, name]) => name === body['event']);
  return own ? { ...body, event: own[0] } : body;
}
