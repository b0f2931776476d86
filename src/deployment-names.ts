import type { Deployment } from './deployment.ts';
import { isObject } from './options/values.ts';

/** Which operations have a field, by the first part of its name. Callbacks count as `WebhookContent`. */
const owners: readonly (readonly [operations: RegExp, names: string])[] = [
  [
    /Content$|Generations?$/,
    'prompt model maxTokens temperature seed stream metadata webhookUrl requestId result usage error completedAt',
  ],
  [/ApiKey/, 'key role hint expiresAt lastUsedAt revokedAt createdBy regeneratedFrom'],
  [
    /ebhook|eliver|Secret/,
    'event url secret token threshold description quota occurredAt periodStart periodEnd invoice source reason records updatedAt',
  ],
  [/./, 'id name status organization project createdAt data nextCursor'],
];
const callback = 'WebhookContent';

export const ownerOf = (name: string) =>
  owners.find(([, names]) => names.split(' ').includes(name.split('.', 1)[0] as string))?.[0];

/** The names of a deployment, in the form in which bodies are translated. */
export type Names = Pick<Deployment, 'fields' | 'wrap' | 'statuses' | 'webhookUrlField'>;

type Json = Record<string, unknown>;
type Renaming = readonly (readonly [from: string, to: string])[];

/** Translates the body of a request of an operation, or of a response or callback of a server that plays a deployment. */
export function toTheirs<T>(names: Names, operation: string, body: T): T {
  if (!isObject(body)) return body;
  const copy = JSON.parse(JSON.stringify(body));
  translate(copy, renamingFor(names, operation), names.statuses, operation);
  return copy;
}

/** The body of a response of an operation in our names. The body is changed. */
export function toOurs(names: Names, operation: string | undefined, body: unknown): unknown {
  const { wrap = '', statuses = {} } = names;
  const inner = Object(body)[wrap];
  const whole = isObject(inner) ? inner : body;
  if (!isObject(whole) || !operation) return whole;
  const renaming = renamingFor(names, operation).map(([ours, theirs]) => [theirs, ours] as const);
  const words = Object.fromEntries(Object.entries(statuses).map((entry) => entry.reverse()));
  translate(whole, renaming, words, operation);
  return whole;
}

/** What a deployment responds for one of our bodies. */
export const responseToTheirs = <T extends object>(names: Names, operation: string, body: T): T =>
  wrapped(names, toTheirs(names, operation, body));

/** What a deployment posts for one of our payloads. */
export const payloadToTheirs = <T extends object>(names: Names, payload: T): T =>
  responseToTheirs(names, callback, payload);

/** Our payload of what a deployment posted. */
export const payloadToOurs = (names: Names, payload: unknown): unknown =>
  toOurs(names, callback, payload);

/** Puts a body into the member that holds every body. */
const wrapped = <T extends object>({ wrap }: Names, body: T): T =>
  wrap ? ({ [wrap]: body } as T) : body;

/** Our name of each field that an operation has → theirs. */
export function renamingFor({ fields, webhookUrlField }: Names, operation: string): Renaming {
  const all = { ...fields, ...(webhookUrlField && { webhookUrl: webhookUrlField }) };
  return Object.entries(all).filter(([ours]) => ownerOf(ours)?.test(operation));
}

/** Renames the fields of a body, and of each row if it is a page. */
function translate(
  body: Json,
  renaming: Renaming,
  words: Readonly<Record<string, string>> = {},
  operation: string,
): void {
  const word = (status: unknown) =>
    typeof status === 'string' && owners[0]?.[0].test(operation)
      ? (words[status] ?? status)
      : status;
  if ('status' in body) body['status'] = word(body['status']);
  const taken = renaming.map(([from, to]) => [to, take(body, from.split('.'))] as const);
  for (const [to, value] of taken) {
    if (value !== undefined) put(body, to.split('.'), to === 'status' ? word(value) : value);
  }
  const { data } = body;
  if (Array.isArray(data)) {
    for (const row of data) if (isObject(row)) translate(row, renaming, words, operation);
  }
}

/** Removes a value, and the objects that it leaves empty. */
function take(body: Json, [name = '', ...rest]: readonly string[]): unknown {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (rest.length === 0) {
    delete body[name];
    return value;
  }
  if (!isObject(value)) return undefined;
  const found = take(value, rest);
  if (found !== undefined && Object.keys(value).length === 0) delete body[name];
  return found;
}

function put(body: Json, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) body[name] = value;
  else {
    const inner = body[name];
    const member = isObject(inner) ? inner : {};
    put(member, rest, value);
    body[name] = member;
  }
}
