import * as schemas from '../../src/generated/schemas.ts';
import type { OperationDetails } from '../contract.ts';
import { type FieldError, isRejection, type Rejection, reject } from '../domain/rejection.ts';

type Path = readonly PropertyKey[];

interface Issue {
  readonly code?: string;
  readonly path: Path;
  readonly message: string;
  readonly origin?: string;
  readonly format?: string;
  /** Of a string that has to match one. */
  readonly pattern?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean;
  readonly expected?: string;
  readonly keys?: readonly string[];
  readonly values?: readonly unknown[];
}

interface Schema {
  safeParse(value: unknown): { success: true; data: unknown } | SchemaFailure;
}

interface SchemaFailure {
  readonly success: false;
  readonly error: { readonly issues: readonly Issue[] };
}

const schemaOf = (name: string): Schema =>
  (schemas as unknown as Readonly<Record<string, Schema>>)[name] as Schema;

/** Stands for a member called `__proto__`, which the schema library leaves out of a record unread. */
const PROTO = '\u0000__proto__';

const pointerOf = (path: Path): string =>
  path
    .map((key) => String(key === PROTO ? '__proto__' : key))
    .map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (at === null || at === undefined ? undefined : (at as never)[key]),
    value,
  );
}

/** The contract counts code points, the schema library UTF-16 units: text that is too long by units alone. */
function isLongByUnitsAlone(issue: Issue, body: unknown): boolean {
  if (issue.code !== 'too_big' || issue.origin !== 'string') return false;
  const text = valueAt(body, issue.path);
  return typeof text === 'string' && Array.from(text).length <= Number(issue.maximum);
}

/** As the contract calls it, where the schema library has a name of its own. */
const named = (name = ''): string =>
  (({ record: 'object', datetime: 'date-time', url: 'uri' }) as Readonly<Record<string, string>>)[
    name
  ] ?? name;

const formatMessage = ({ format, pattern }: Issue): string =>
  format === 'regex' ? `must match ${pattern}.` : `does not have the format ${named(format)}.`;

function describe(issue: Issue, body: unknown): Pick<FieldError, 'code' | 'message'> {
  const { code, origin, expected, minimum, maximum } = issue;
  const text = origin === 'string';
  switch (code) {
    case 'invalid_type':
      return valueAt(body, issue.path) === undefined
        ? { code: 'required', message: 'is required.' }
        : { code: 'invalid_type', message: `must be of type ${named(expected)}.` };
    case 'too_small':
      return text
        ? { code: 'too_short', message: `must have at least ${minimum} characters.` }
        : {
            code: 'too_small',
            message: `must be ${issue.inclusive === false ? 'above' : 'at least'} ${minimum}.`,
          };
    case 'too_big':
      return text
        ? { code: 'too_long', message: `must have at most ${maximum} characters.` }
        : {
            code: 'too_large',
            message: `must be ${issue.inclusive === false ? 'below' : 'at most'} ${maximum}.`,
          };
    case 'invalid_format':
      return {
        code: 'invalid_format',
        message: formatMessage(issue),
      };
    case 'invalid_value': {
      if (valueAt(body, issue.path) === undefined)
        return { code: 'required', message: 'is required.' };
      return { code: 'invalid_value', message: `must be one of: ${issue.values?.join(', ')}.` };
    }
    case 'custom':
      return issue.path.length === 0
        ? { code: 'required', message: 'needs at least one member.' }
        : { code: 'too_many', message: 'has too many members.' };
    default:
      return { code: 'invalid_value', message: 'is not valid.' };
  }
}

function fieldErrors(issue: Issue, body: unknown): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => ({
      pointer: pointerOf([...issue.path, key]),
      code: 'unknown_field',
      message: 'The field is unknown.',
    }));
  }
  const { code, message } = describe(issue, body);
  const name = issue.path.length === 0 ? 'The body' : String(issue.path.at(-1));
  return [{ pointer: pointerOf(issue.path), code, message: `${name} ${message}` }];
}

/** A body of a megabyte can have a hundred thousand faults; that there are more, the detail says. */
const MOST_ERRORS = 100;

export function invalid(all: readonly FieldError[]): Rejection {
  const errors = all.slice(0, MOST_ERRORS);
  const first = errors[0];
  const where = first?.pointer || first?.parameter;
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : '';
  const detail = `The request is not valid${where ? ` at ${where}` : ''}: ${first?.message}${more}`;
  return reject('validation_failed', detail, { errors });
}

/** Shortens what is long by units alone, for a second reading; the text itself is put back afterwards. */
function withShortened(body: object, paths: readonly Path[]): object {
  const copy = structuredClone(body) as Record<PropertyKey, unknown>;
  for (const path of paths) {
    const parent = valueAt(copy, path.slice(0, -1)) as Record<PropertyKey, unknown>;
    parent[path.at(-1) as PropertyKey] = 'x';
  }
  return copy;
}

/** The same body; but metadata, the contract's one record, with every member where the library reads it. */
function legible(body: unknown): unknown {
  const metadata = valueAt(body, ['metadata']);
  const hidden = typeof metadata === 'object' && metadata && Object.hasOwn(metadata, '__proto__');
  if (!hidden) return body;
  const members = Object.entries(metadata).map(([name, value]) => [
    name === '__proto__' ? PROTO : name,
    value,
  ]);
  return { ...(body as object), metadata: Object.fromEntries(members) };
}

/** The body with its defaults, or every fault of it. An operation without a body takes an empty object. */
export function validateBody(details: OperationDetails, given: unknown): object | Rejection {
  const body = legible(given);
  const read = readBy(details, body);
  if (isRejection(read)) return read;
  const mended = mendedFields(given, read);
  if (mended.length > 0) return invalid(mended);
  return body === given ? read : { ...read, metadata: valueAt(given, ['metadata']) };
}

/** The schema library takes white space out of a URL and lets the rest pass: that is another one than was sent. */
function mendedFields(given: unknown, read: object): FieldError[] {
  const mended = Object.entries(read).filter(([name, value]) => {
    const sent = valueAt(given, [name]);
    return typeof sent === 'string' && sent !== value;
  });
  return mended.map(([name]) => ({
    pointer: pointerOf([name]),
    code: 'invalid_format',
    message: `${name} does not have the format uri.`,
  }));
}

function readBy(details: OperationDetails, body: unknown): object | Rejection {
  const schema = details.body === undefined ? emptySchema : schemaOf(details.body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data as object;
  const { issues } = parsed.error;
  const excused = issues.filter((issue) => isLongByUnitsAlone(issue, body));
  const real = issues.filter((issue) => !excused.includes(issue));
  if (real.length > 0) return invalid(real.flatMap((issue) => fieldErrors(issue, body)));
  const again = schema.safeParse(
    withShortened(
      body as object,
      excused.map(({ path }) => path),
    ),
  );
  const data = (again.success ? again.data : body) as Record<PropertyKey, unknown>;
  for (const { path } of excused) {
    const parent = valueAt(data, path.slice(0, -1)) as Record<PropertyKey, unknown>;
    parent[path.at(-1) as PropertyKey] = valueAt(body, path);
  }
  return data;
}

/** What is wrong with a value by a schema of the contract, if anything. */
export function faultOf(schema: keyof typeof schemas, value: unknown): string | undefined {
  const parsed = schemaOf(schema).safeParse(value);
  if (parsed.success) return undefined;
  return parsed.error.issues.flatMap((issue) => fieldErrors(issue, value))[0]?.message;
}

const emptySchema: Schema = {
  safeParse(value) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && Object.keys(value).length === 0) return { success: true, data: {} };
    const issue: Issue = isObject
      ? { code: 'unrecognized_keys', path: [], message: '', keys: Object.keys(value) }
      : { code: 'invalid_type', path: [], message: '', expected: 'object' };
    return { success: false, error: { issues: [issue] } };
  },
};
