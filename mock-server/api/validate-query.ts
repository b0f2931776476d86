import type { OperationDetails } from '../contract.ts';
import type { Deployment } from '../domain/deployment.ts';
import type { FieldError, Rejection } from '../domain/rejection.ts';
import { firstError, invalid } from './schema-errors.ts';

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

/** The query with the contract's defaults, or every error in it. */
export function validateQuery(
  details: OperationDetails,
  url: URL,
  deployment?: Deployment,
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
    const isStatus = name === 'status' && deployment !== undefined;
    const value = isStatus ? (deployment.toOurs.status(sent) ?? sent) : sent;
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
