import type { ErrorObject } from 'ajv';
import { validators } from '../../src/generated/validators.ts';
import { didYouMean } from '../domain/options.ts';
import { type FieldError, type Rejection, reject } from '../domain/rejection.ts';

export type SchemaName = keyof typeof validators;

type SchemaError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params'>;
type Params = ErrorObject['params'];

interface Validator {
  /** Fills in the defaults of `value`. */
  (value: unknown): boolean;
  /** The errors of the last call. */
  readonly errors?: readonly SchemaError[] | null;
}

/** A body can have a hundred thousand errors; the detail says how many there are. */
const MAX_ERRORS = 100;

export const unknownField = (name: string, known: readonly string[] = []) => ({
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
export const unescaped = (token: string): string =>
  token.replaceAll('~1', '/').replaceAll('~0', '~');

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
export function invalid(all: readonly FieldError[]): Rejection {
  const [first] = all;
  const where = first?.pointer || first?.parameter;
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : '';
  const detail = `The request is not valid${where ? ` at ${where}` : ''}: ${first?.message}${more}`;
  return reject('validation_failed', detail, { errors: all.slice(0, MAX_ERRORS) });
}

const NO_ERRORS: readonly FieldError[] = [];

/** The errors of a value against a schema of the contract. Fills in the defaults of a valid one. */
export function schemaErrors(
  schema: SchemaName,
  value: unknown,
  fields?: readonly string[],
): readonly FieldError[] {
  const validate: Validator = validators[schema];
  return validate(value) ? NO_ERRORS : fieldErrors(validate.errors ?? [], fields);
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
