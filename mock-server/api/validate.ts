import { isRejection } from '../domain/rejection.ts';
import type { Next, ReadCall, ValidCall } from './call-context.ts';
import { hasBody, parseBody } from './read-body.ts';
import {
  callbackFieldOf,
  toContractEvent,
  toContractFields,
  toOwnPointers,
} from './rename-fields.ts';
import { operationDetailsOf } from './routes.ts';
import { validateBody } from './validate-body.ts';
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
