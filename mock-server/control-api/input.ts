import { readBytes } from '../api/read-body.ts';
import type { MockServer } from '../composition/mock-server.ts';
import { isDuration } from '../control/arguments.ts';
import { isObject, isText, listOf, mustBe, type OptionRule } from '../domain/options.ts';
import { ControlProblem, invalid } from './problem.ts';

/** A request to the control API, already parsed. */
export interface ControlCall {
  readonly mock: MockServer;
  readonly id: string;
  readonly query: URLSearchParams;
  /** The parsed body; `{}` without one. */
  readonly body: unknown;
}

export interface ControlResult {
  readonly status: number;
  /** Sent as JSON; absent for 204. */
  readonly body?: unknown;
}

export type ControlHandler = (call: ControlCall) => ControlResult | Promise<ControlResult>;

// Rules for fields that only the control API has.
export const anyText = mustBe('a string', (value) => typeof value === 'string');
export const texts = listOf('non-empty strings', isText);
export const object = mustBe('an object', isObject);

/** A duration such as `'31 days'`, or milliseconds. */
export const duration = mustBe("milliseconds or a string such as '31 days'", isDuration);

/** A duration, or negative milliseconds. */
export const lifetime = mustBe(
  "milliseconds or a string such as '31 days'",
  (value) => Number.isFinite(value) || isDuration(value),
);

/**
 * Checks each field of a body and returns the body as the type that the checks describe.
 *
 * @throws ControlProblem
 */
export function fields<T>(
  body: unknown,
  required: Readonly<Record<string, OptionRule>>,
  optional: Readonly<Record<string, OptionRule>> = {},
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
    const problem = check(value);
    if (problem) throw invalid(`The field ${name} ${problem}`);
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
