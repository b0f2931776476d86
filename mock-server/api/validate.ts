import { isObject } from '../domain/is-object.ts';
import type { SystemEvent } from '../domain/records.ts';
import { isRejection, type Rejection } from '../domain/rejection.ts';
import type { Next, ReadCall, RoutedCall, ValidCall } from './call-context.ts';
import { hasBody, type ParsedBody, parseBody } from './read-body.ts';
import { operationDetailsOf } from './routes.ts';
import { invalid, UNKNOWN_FIELD, validateBody } from './validate-body.ts';
import { validateQuery } from './validate-query.ts';

/** Step: parses the body and validates it and the query, or rejects with 400 or 422. */
export function validate(call: ReadCall): Next<ReadCall | ValidCall> {
  const { bytes, request, service, url } = call;
  const details = operationDetailsOf(call.route.operation);
  const parsed = parseBody(bytes, hasBody(request) && request.headers.has('content-type'));
  if (isRejection(parsed)) return parsed;

  const { json } = parsed;
  const query = validateQuery(details, url.searchParams);
  if (isRejection(query)) return { ...call, json, outcome: query };
  const callbackField = callbackFieldOf(call);
  const renamed = toContractFields(json, callbackField);
  if (isRejection(renamed)) return { ...call, json, outcome: renamed };
  const { eventNames } = service.context.settings;
  const body = validateBody(details, toContractEvent(renamed.json, eventNames));
  if (isRejection(body)) return { ...call, json, outcome: toOwnPointers(body, callbackField) };
  return { ...call, json, input: { query, body } };
}

/** The deployment's name for `webhookUrl`. It applies to generations only: a registration's `url` is another field. */
export function callbackFieldOf({ route, service }: RoutedCall): string {
  const isGeneration = operationDetailsOf(route.operation).body === 'GenerateRequest';
  return (isGeneration && service.options.webhookUrlField) || 'webhookUrl';
}

/** Renames the deployment's callback field to the contract's. The contract's own name is then an unknown field. */
function toContractFields(json: unknown, callbackField: string): ParsedBody | Rejection {
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
function toContractEvent(
  body: unknown,
  eventNames: Readonly<Partial<Record<SystemEvent, string>>>,
): unknown {
  if (!isObject(body) || typeof body['event'] !== 'string') return body;
  const own = Object.entries(eventNames).find(([, name]) => name === body['event']);
  return own ? { ...body, event: own[0] } : body;
}
