import type { OperationDetails } from '../contract.ts';
import type { Deployment, SecretEncoding } from '../domain/deployment.ts';
import { isObject } from '../domain/options.ts';
import { isRejection, type Rejection } from '../domain/rejection.ts';
import type { Call, NewCall, ReadyCall, Route } from './call.ts';
import type { ParsedBody } from './read-body.ts';
import { operationDetailsOf } from './routes.ts';
import { invalid, type SchemaName, schemaErrors, unknownField } from './schema-errors.ts';
import { validateQuery } from './validate-query.ts';

/** Validates the query and the body of a new call, or rejects with 422. */
export function validate(
  { service, url }: Call,
  { permit, heldKey }: NewCall,
  parsed: ParsedBody,
): ReadyCall | Rejection {
  const { route } = permit;
  const { deployment } = service.options;
  const details = operationDetailsOf(route.operation);
  const query = validateQuery(route.operation, details, url, deployment);
  if (isRejection(query)) return query;
  const { secretEncoding } = service.context.settings;
  if (!deployment) {
    const body = validateBody(details, parsed.json, secretEncoding);
    return isRejection(body) ? body : { permit, heldKey, input: { query, body } };
  }
  const { body: ours, unknown } = deployment.toOurs.request(route.operation, parsed.json);
  if (unknown.length > 0) {
    return invalid(unknown.map((name) => ({ pointer: `/${name}`, ...unknownField(name, []) })));
  }
  const body = validateBody(details, ours, secretEncoding);
  return isRejection(body)
    ? toOwnPointers(deployment, route, body)
    : { permit, heldKey, input: { query, body } };
}

/** Renames the contract's fields in the errors of a rejection to the deployment's. */
export function toOwnPointers(
  deployment: Deployment | undefined,
  { operation }: Route,
  rejection: Rejection,
): Rejection {
  const { errors } = rejection;
  if (!deployment || !errors || deployment.json.errors !== undefined) return rejection;
  const named = deployment.toTheirs.problem(operation, { errors }) as { errors: typeof errors };
  return rejection.code === 'validation_failed'
    ? invalid(named.errors)
    : { ...rejection, ...named };
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
