import { validators } from '../../src/generated/validators.ts';
import type { OperationDetails } from '../contract.ts';
import { type Deployment, renamingFor, type SecretEncoding, toOurs } from '../domain/deployment.ts';
import { didYouMean } from '../domain/known-options.ts';
import type { SystemEvent } from '../domain/records.ts';
import { type FieldError, isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type { Call, NewCall, OperationInput, Route } from './call.ts';
import type { ParsedBody } from './read-body.ts';
import { operationDetailsOf } from './routes.ts';

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

export type SchemaName = keyof typeof validators;

/** An error as Ajv reports it. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Params;
}

interface Params {
  readonly limit?: number;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly allowedValues?: readonly unknown[];
  readonly allowedValue?: unknown;
  readonly missingProperty?: string;
  readonly additionalProperty?: string;
}

interface Validator {
  /** Fills in the defaults of `value`. */
  (value: unknown): boolean;
  /** The errors of the last call. */
  readonly errors?: readonly SchemaError[] | null;
}

/** A body can have a hundred thousand errors; the detail says how many there are. */
const MAX_ERRORS = 100;

const unknownField = (name: string, known: readonly string[] = []) => ({
  code: 'unknown_field',
  message: `This field does not exist.${didYouMean(name.replaceAll('_', ''), known) || ' Remove it.'}`,
});

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'an absolute URL',
  'date-time': 'an RFC 3339 date and time',
};

/** By keyword of JSON Schema: the error's code, and what the value must be. */
const DESCRIPTIONS: Readonly<Record<string, (params: Params) => readonly [string, string]>> = {
  required: () => ['required', 'is required.'],
  type: ({ type }) => ['invalid_type', `must be of type ${[type].flat().join(' or ')}.`],
  enum: ({ allowedValues }) => ['invalid_value', `must be one of: ${allowedValues?.join(', ')}.`],
  const: ({ allowedValue }) => ['invalid_value', `must be ${allowedValue}.`],
  format: ({ format = '' }) => ['invalid_format', `must be ${FORMATS[format]}.`],
  pattern: ({ pattern }) => ['invalid_format', `must match ${pattern}.`],
  minLength: ({ limit }) => [
    'too_short',
    limit === 1 ? 'must not be empty.' : `must have at least ${limit} characters.`,
  ],
  maxLength: ({ limit }) => ['too_long', `must have at most ${limit} characters.`],
  minimum: ({ limit }) => ['too_small', `must be at least ${limit}.`],
  exclusiveMinimum: ({ limit }) => ['too_small', `must be greater than ${limit}.`],
  maximum: ({ limit }) => ['too_large', `must be at most ${limit}.`],
  minProperties: ({ limit }) => [
    'required',
    `must have at least ${limit} ${limit === 1 ? 'field' : 'fields'}.`,
  ],
  maxProperties: ({ limit }) => ['too_many', `must have at most ${limit} fields.`],
};

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

function fieldError(
  { instancePath, keyword, params }: SchemaError,
  known?: readonly string[],
): FieldError {
  const { additionalProperty, missingProperty } = params;
  if (additionalProperty !== undefined) {
    const pointer = `${instancePath}/${escaped(additionalProperty)}`;
    return { pointer, ...unknownField(additionalProperty, instancePath === '' ? known : []) };
  }
  const pointer =
    missingProperty === undefined ? instancePath : `${instancePath}/${escaped(missingProperty)}`;
  const name = pointer === '' ? 'The body' : unescaped(pointer.slice(pointer.lastIndexOf('/') + 1));
  const [code, message] = DESCRIPTIONS[keyword]?.(params) ?? ['invalid_value', 'is not valid.'];
  return { pointer, code, message: `${name} ${message}` };
}

const isUnknownField = ({ keyword }: SchemaError): boolean => keyword === 'additionalProperties';

/** Unknown fields come last; a value of the wrong type has no other error. */
function fieldErrors(errors: readonly SchemaError[], fields?: readonly string[]): FieldError[] {
  const mistyped = new Set(
    errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath),
  );
  const known = errors.filter(
    (error) =>
      !isUnknownField(error) && (error.keyword === 'type' || !mistyped.has(error.instancePath)),
  );
  return [...known, ...errors.filter(isUnknownField)].map((error) => fieldError(error, fields));
}

/** A 422 that lists the errors. */
function invalid(all: readonly FieldError[]): Rejection {
  const [first] = all;
  const where = first?.pointer || first?.parameter;
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : '';
  const detail = `The request is not valid${where ? ` at ${where}` : ''}: ${first?.message}${more}`;
  return reject('validation_failed', detail, { errors: all.slice(0, MAX_ERRORS) });
}

/** The body with the contract's defaults, or every error in it. */
function validateBody(
  details: OperationDetails,
  given: unknown,
  secretEncoding: SecretEncoding = 'whsec',
): object | Rejection {
  const validate: Validator = validators[(details.body ?? 'NoBody') as SchemaName];
  const body = isObject(given) ? { ...given } : given;
  const isOwn = secretEncoding !== 'whsec' && details.body === 'CreateWebhookRequest';
  if (isOwn && isObject(body) && typeof body['secret'] === 'string') {
    // The contract's pattern is for its own encoding; the operation checks the deployment's.
    const { secret, ...rest } = body;
    const checked = validateBody(details, rest);
    return isRejection(checked) ? checked : { ...checked, secret };
  }
  return validate(body)
    ? (body as object)
    : invalid(fieldErrors(validate.errors ?? [], details.fields));
}

/** The first error of a value against a schema of the contract, if any. */
export function firstError(schema: SchemaName, value: unknown): string | undefined {
  const validate: Validator = validators[schema];
  return validate(value) ? undefined : fieldErrors(validate.errors ?? [])[0]?.message;
}

interface GenerationDefaults {
  readonly model: string;
  readonly maxTokens: number;
}

/** The contract's defaults for a request to generate. */
export function generationDefaults(): GenerationDefaults {
  const body = { prompt: '-' };
  validators.GenerateRequest(body);
  return body as typeof body & GenerationDefaults;
}

interface ParameterSchema {
  readonly type?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly default?: string | number;
}

function readParameter(
  value: string,
  schema: ParameterSchema,
): string | number | Pick<FieldError, 'code' | 'message'> {
  if (schema.type === 'integer') {
    if (!/^(?:0|-?[1-9]\d{0,14})$/.test(value))
      return { code: 'invalid_type', message: 'must be an integer.' };
    const number = Number(value);
    const { minimum = number, maximum = number } = schema;
    if (number < minimum) return { code: 'too_small', message: `must be at least ${minimum}.` };
    if (number > maximum) return { code: 'too_large', message: `must be at most ${maximum}.` };
    return number;
  }
  const length = Array.from(value).length;
  if (length < (schema.minLength ?? 0)) return { code: 'too_short', message: 'must not be empty.' };
  if (length > (schema.maxLength ?? length)) {
    return { code: 'too_long', message: `must have at most ${schema.maxLength} characters.` };
  }
  if (schema.enum && !schema.enum.includes(value)) {
    return { code: 'invalid_value', message: `must be one of: ${schema.enum.join(', ')}.` };
  }
  if (schema.format === 'date-time' && firstError('Timestamp', value) !== undefined) {
    return { code: 'invalid_format', message: 'must be an RFC 3339 date and time.' };
  }
  return value;
}

const ourStatus = (word: string, statuses: Readonly<Record<string, string>>) =>
  Object.entries(statuses).find(([, theirs]) => theirs === word)?.[0];

/** The query with the contract's defaults, or every error in it. */
function validateQuery(
  details: OperationDetails,
  url: URL,
  statuses: Readonly<Record<string, string>> = {},
): Record<string, string | number> | Rejection {
  const declared = details.query ?? {};
  const values: Record<string, string | number> = {};
  const errors: FieldError[] = [];
  for (const [name, { schema }] of Object.entries(declared)) {
    const { default: absent } = schema as ParameterSchema;
    if (absent !== undefined) values[name] = absent;
  }
  if (url.search === '') return values;
  const given = url.searchParams;
  for (const name of new Set(given.keys())) {
    const schema = Object.hasOwn(declared, name) ? declared[name]?.schema : undefined;
    const [sent = '', ...others] = given.getAll(name);
    const value = (name === 'status' && ourStatus(sent, statuses)) || sent;
    if (!schema) {
      errors.push({
        parameter: name,
        code: 'unknown_parameter',
        message: 'This parameter does not exist. Remove it.',
      });
    } else if (others.length > 0) {
      errors.push({
        parameter: name,
        code: 'invalid_value',
        message: `${name} was sent more than once.`,
      });
    } else {
      const read = readParameter(value, schema as ParameterSchema);
      if (typeof read === 'object') {
        errors.push({ parameter: name, code: read.code, message: `${name} ${read.message}` });
      } else values[name] = read;
    }
  }
  return errors.length > 0 ? invalid(errors) : values;
}

/** Whether a value is a JSON object: not null and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
