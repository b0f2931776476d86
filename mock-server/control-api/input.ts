import { readBytes } from '../api/read-body.ts';
import { isObject } from '../api/validate.ts';
import { type Duration, milliseconds } from '../control/arguments.ts';
import { ControlProblem, invalid } from './problem.ts';

/** Returns what is wrong with a value, or undefined. */
export type Check = (value: unknown) => string | undefined;

export const text: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'must be a non-empty string';

export const anyText: Check = (value) =>
  typeof value === 'string' ? undefined : 'must be a string';

export const texts: Check = (value) =>
  Array.isArray(value) && value.every((item) => text(item) === undefined)
    ? undefined
    : 'must be a list of non-empty strings';

export const bool: Check = (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false';

export const object: Check = (value) => (isObject(value) ? undefined : 'must be an object');

export const array: Check = (value) => (Array.isArray(value) ? undefined : 'must be an array');

export const integer =
  (minimum: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= minimum
      ? undefined
      : `must be an integer of at least ${minimum}`;

export const integerBetween =
  (minimum: number, maximum: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
      ? undefined
      : `must be an integer from ${minimum} to ${maximum}`;

export const share: Check = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'must be a number, 0 to 1';

export const oneOf =
  (...allowed: string[]): Check =>
  (value) =>
    allowed.includes(value as string) ? undefined : `must be one of ${allowed.join(', ')}`;

/** A list of at least one of these values. */
export const listOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every((item) => allowed.includes(item))
      ? undefined
      : `must be a list of ${allowed.join(', ')}`;

export const duration: Check = (value) => {
  try {
    milliseconds(value as Duration);
    return undefined;
  } catch {
    return "must be milliseconds or a string such as '31 days'";
  }
};

/** A duration, or negative milliseconds. */
export const lifetime: Check = (value) => (Number.isFinite(value) ? undefined : duration(value));

/**
 * Checks each field of a body and returns the body as the type that the checks describe.
 *
 * @throws ControlProblem
 */
export function fields<T>(
  body: unknown,
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): T {
  if (!isObject(body)) throw invalid('The body must be a JSON object.');
  const given = new Map(Object.entries(body));
  for (const name of Object.keys(required)) {
    if (!given.has(name)) throw invalid(`The field ${name} is required.`);
  }
  const checks = new Map([...Object.entries(required), ...Object.entries(optional)]);
  for (const [name, value] of given) {
    const check = checks.get(name);
    if (!check) throw invalid(`There is no field ${JSON.stringify(name.slice(0, 64))}.`);
    const error = check(value);
    if (error) throw invalid(`The field ${name} ${error}.`);
  }
  return body as T;
}

/**
 * Reads a JSON body of at most `limit` bytes; a missing body counts as `{}`.
 *
 * @throws ControlProblem
 */
export async function readBody(request: Request, limit: number): Promise<unknown> {
  const tooLarge = new ControlProblem(
    413,
    'payload_too_large',
    `The body exceeds the limit of ${limit} bytes.`,
  );
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge;
  const bytes = await readBytes(request, limit);
  if (!bytes) throw tooLarge;
  const body = new TextDecoder().decode(bytes);
  const type = request.headers.get('content-type');
  if (body === '' && type === null) return {};
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    const detail = 'The body must be JSON. Send it with Content-Type: application/json.';
    throw new ControlProblem(415, 'unsupported_media_type', detail);
  }
  try {
    return JSON.parse(body);
  } catch {
    throw new ControlProblem(400, 'invalid_json', 'The body is not valid JSON.');
  }
}
