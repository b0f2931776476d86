import { type Duration, milliseconds } from '../control/duration.ts';

/** Answers what is wrong with a value, or undefined. */
export type Check = (value: unknown) => string | undefined;

/** A request that cannot be carried out; `code` is the problem's. */
export class ControlProblem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.name = 'ControlProblem';
    this.status = status;
    this.code = code;
  }
}

export const invalid = (detail: string) => new ControlProblem(422, 'validation_failed', detail);

export const text: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'must be a text that is not empty';

export const object: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : 'must be an object';

export const integer =
  (minimum: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= minimum
      ? undefined
      : `must be an integer, at least ${minimum}`;

export const share: Check = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'must be a number, 0 to 1';

export const oneOf =
  (...allowed: string[]): Check =>
  (value) =>
    allowed.includes(value as string) ? undefined : `must be one of ${allowed.join(', ')}`;

export const duration: Check = (value) => {
  try {
    milliseconds(value as Duration);
    return undefined;
  } catch {
    return "must be milliseconds or a text such as '31 days'";
  }
};

/** A duration, or negative milliseconds. */
export const lifetime: Check = (value) => (Number.isFinite(value) ? undefined : duration(value));

/**
 * Answers the body as what its fields were checked to be.
 *
 * @throws ControlProblem
 */
export function fields<T>(
  body: unknown,
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): T {
  if (object(body)) throw invalid('The body must be a JSON object.');
  const given = new Map(Object.entries(body as object));
  for (const name of Object.keys(required)) {
    if (!given.has(name)) throw invalid(`The field ${name} is required.`);
  }
  const checks = new Map([...Object.entries(required), ...Object.entries(optional)]);
  for (const [name, value] of given) {
    const check = checks.get(name);
    if (!check) throw invalid(`There is no field ${JSON.stringify(name.slice(0, 64))}.`);
    const fault = check(value);
    if (fault) throw invalid(`The field ${name} ${fault}.`);
  }
  return body as T;
}
