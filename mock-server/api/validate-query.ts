import type { OperationDetails, OperationId } from '../contract.ts';
import type { Deployment } from '../domain/deployment.ts';
import type { FieldError, Rejection } from '../domain/rejection.ts';
import { invalid, type SchemaName, schemaErrors, unescaped } from './schema-errors.ts';

const NUMBER = /^(?:0|-?[1-9]\d{0,14})$/;

/** The query with the contract's defaults, or every error in it. */
export function validateQuery(
  operation: OperationId,
  { query: declared = {} }: OperationDetails,
  url: URL,
  deployment?: Deployment,
): Record<string, string | number> | Rejection {
  // A parameter can be called `__proto__`.
  const values: Record<string, string | number> = Object.create(null);
  const errors: FieldError[] = [];
  // Most calls have none, and parsing it would create an object.
  for (const name of url.search === '' ? [] : new Set(url.searchParams.keys())) {
    const [sent = '', ...others] = url.searchParams.getAll(name);
    if (others.length > 0) {
      const message = `${name} was sent more than once.`;
      errors.push({ parameter: name, code: 'invalid_value', message });
      continue;
    }
    const schema = Object.hasOwn(declared, name) ? declared[name]?.schema : undefined;
    const isNumber = schema?.['type'] === 'integer' && NUMBER.test(sent);
    const ours = name === 'status' ? deployment?.toOurs.status(sent) : undefined;
    values[name] = isNumber ? Number(sent) : (ours ?? sent);
  }
  const hasQuery = Object.keys(declared).length > 0;
  const schema = (hasQuery ? `${operation}Query` : 'NoBody') as SchemaName;
  for (const { pointer = '', code, message } of schemaErrors(schema, values)) {
    const parameter = unescaped(pointer.slice(1));
    errors.push(
      code === 'unknown_field'
        ? { parameter, code: 'unknown_parameter', message: UNKNOWN }
        : { parameter, code, message },
    );
  }
  return errors.length > 0 ? invalid(errors) : values;
}

const UNKNOWN = 'This parameter does not exist. Remove it.';
