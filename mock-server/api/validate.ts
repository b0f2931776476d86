import type { OperationDetails } from '../contract.ts';
import { type Deployment, renamingFor, type SecretEncoding, toOurs } from '../domain/deployment.ts';
import { isObject } from '../domain/options.ts';
import type { SystemEvent } from '../domain/records.ts';
import { isRejection, type Rejection } from '../domain/rejection.ts';
import type { Call, NewCall, OperationInput, Route } from './call.ts';
import type { ParsedBody } from './read-body.ts';
import { operationDetailsOf } from './routes.ts';
import { invalid, type SchemaName, schemaErrors, unknownField } from './schema-errors.ts';
import { validateQuery } from './validate-query.ts';

/** Validates the query and the body of a new call, or rejects with 422. */
export function validate(
  { service, url }: Call,
  { permit: { route } }: NewCall,
  parsed: ParsedBody,
): OperationInput | Rejection {
  const { deployment = {} } = service.options;
  const details = operationDetailsOf(route.operation);
  const query = validateQuery(details, url, deployment.statuses);
  if (isRejection(query)) return query;
  const renamed = toContractFields(deployment, route, parsed);
  if (isRejection(renamed)) return renamed;
  const { eventNames, secretEncoding } = service.context.settings;
  const body = validateBody(details, toContractEvent(renamed.json, eventNames), secretEncoding);
  return isRejection(body) ? toOwnPointers(deployment, route, body) : { query, body };
}

/** Renames the deployment's fields to the contract's. The contract's own names are then unknown fields. */
function toContractFields(
  deployment: Deployment,
  { operation }: Route,
  parsed: ParsedBody,
): ParsedBody | Rejection {
  const { json } = parsed;
  const renaming = renamingFor(deployment, operation);
  if (renaming.length === 0 || !isObject(json)) return parsed;
  const theirs = renaming.map(([, name]) => name);
  const unknown = renaming.find(([name]) => Object.hasOwn(json, name) && !theirs.includes(name));
  if (unknown) return invalid([{ pointer: `/${unknown[0]}`, ...unknownField(unknown[0], theirs) }]);
  const { wrap: _, ...names } = deployment;
  return { json: toOurs(names, operation, JSON.parse(JSON.stringify(json))) };
}

/** Renames the contract's fields in the errors of a rejection to the deployment's. */
export function toOwnPointers(
  deployment: Deployment,
  { operation }: Route,
  rejection: Rejection,
): Rejection {
  const { errors } = rejection;
  if (!errors) return rejection;
  const renaming = renamingFor(deployment, operation);
  const named = (pointer?: string) => renaming.find(([ours]) => pointer === pointerOf(ours));
  if (!errors.some(({ pointer }) => named(pointer))) return rejection;
  return invalid(
    errors.map((error) => {
      const [ours, theirs] = named(error.pointer) ?? [];
      if (ours === undefined || theirs === undefined) return error;
      const { message } = error;
      const renamed = message.startsWith(`${ours} `)
        ? theirs + message.slice(ours.length)
        : message;
      return { ...error, pointer: pointerOf(theirs), message: renamed };
    }),
  );
}

const pointerOf = (field: string): string => `/${field.replaceAll('.', '/')}`;

/** Accepts the deployment's name of an event as well as the contract's. */
function toContractEvent(
  body: unknown,
  eventNames: Readonly<Partial<Record<SystemEvent, string>>>,
): unknown {
  if (!isObject(body) || typeof body['event'] !== 'string') return body;
  const own = Object.entries(eventNames).find(([, name]) => name === body['event']);
  return own ? { ...body, event: own[0] } : body;
}

/** The body with the contract's defaults, or every error in it. */
function validateBody(
  details: OperationDetails,
  given: unknown,
  secretEncoding: SecretEncoding = 'whsec',
): object | Rejection {
  const body = isObject(given) ? { ...given } : given;
  const isOwn = secretEncoding !== 'whsec' && details.body === 'CreateWebhookRequest';
  if (isOwn && isObject(body) && typeof body['secret'] === 'string') {
    // The contract's pattern is for its own encoding; the operation checks the deployment's.
    const { secret, ...rest } = body;
    const checked = validateBody(details, rest);
    return isRejection(checked) ? checked : { ...checked, secret };
  }
  const errors = schemaErrors((details.body ?? 'NoBody') as SchemaName, body, details.fields);
  return errors.length > 0 ? invalid(errors) : (body as object);
}
