import { valueAt } from '../../deployment/paths.ts';
import { schemas } from '../../generated/names.ts';
import { isObject } from '../../options/values.ts';

/** The values in a body that are no objects, by their path; lists too. */
export type Leaves = ReadonlyMap<string, unknown>;

export function leavesOf(body: unknown, depth = 0): Leaves {
  const leaves = new Map<string, unknown>();
  if (!isObject(body) || depth > 4) return leaves;
  for (const [name, value] of Object.entries(body)) {
    if (name === '' || name.includes('.') || name === '__proto__') continue;
    if (!isObject(value)) leaves.set(name, value);
    else for (const [path, leaf] of leavesOf(value, depth + 1)) leaves.set(`${name}.${path}`, leaf);
  }
  return leaves;
}

export const at = (body: unknown, path: string): unknown => valueAt(body, path.split('.'));

/** A path without case, hyphens and underscores: `usage.total_tokens` is `usage.totalTokens`. */
export const plain = (path: string) => path.toLowerCase().replace(/[_-]/g, '');

function fieldsOf(schema: string): readonly string[] {
  const { fields = {} } = schemas[schema] ?? {};
  return Object.entries(fields).flatMap(([name, kind]) =>
    Object.hasOwn(schemas, kind) ? fieldsOf(kind).map((inner) => `${name}.${inner}`) : [name],
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isId = (value: unknown) => isText(value) || Number.isSafeInteger(value);

/** What a value has to be, and the names that services give it, the likeliest first. */
const usual: Readonly<Record<string, readonly [is: (value: unknown) => boolean, ...RegExp[]]>> = {
  requestId: [
    isId,
    /(^|\.)(request|req|generation|gen)\.?id$/,
    /(^|\.)(job|task|run|operation|prediction|process|tracking|correlation|message|execution|reference|ref|ticket)\.?id$/,
    /(^|\.)(id|uuid|guid|uid)$/,
    /(^|\.)(request|generation|job|task)?\.?(uuid|guid|ref|reference|ticket|handle|number|job|task)$/,
  ],
  result: [
    (value) => isText(value) && !/^(https?:|\/)/.test(value),
    /(^|\.)(result|output|generated)(text|content)?$/,
    /(^|\.)(text|content|completion|answer|response|generation|message|body|value)(text)?$/,
  ],
  model: [isText, /(^|\.)model(name|id|\.name|\.id)?$/, /(^|\.)(engine|modelversion)(name|id)?$/],
  'usage.totalTokens': [
    Number.isSafeInteger,
    /(^|\.)total\.?tokens$|tokens\.?total$/,
    /(^|\.)(tokens|tokenstotal|tokensused|usedtokens|tokencount|totaltokencount|usage\.total)$/,
    /(^|\.)(total|used|units|usage)$/,
  ],
  status: [isText, /(^|\.)(status|state)$/, /(^|\.)(job|task|request)?(status|state|phase|stage)$/],
  id: [isId, /(^|\.)id$/, /(^|\.)\w*(id|uuid)$/],
  key: [
    (value) => isText(value) && value.length >= 8 && !/\s/.test(value),
    /(^|\.)(api)?key$/,
    /(^|\.)\w*(apikey|plaintext|secretkey|accesskey|keyvalue)$/,
    /(^|\.)(token|secret|value|credential|accesstoken|apitoken)$/,
  ],
  secret: [
    (value) => isText(value) && value.length >= 8 && !/\s/.test(value),
    /(^|\.)(signing|webhook|hook|endpoint)?secret(key)?$/,
    /(^|\.)(signing|webhook|hmac)?(key|token)$/,
  ],
  event: [isText, /(^|\.)(event)(type|name)?$/, /(^|\.)(type|topic)$/],
  url: [isText, /(^|\.)\w*(url|uri|endpoint)$/],
  data: [Array.isArray, /(^|\.)(data|items|results|records|rows|list|entries)$/, /./],
  nextCursor: [
    (value) => isText(value) || value === null,
    /(^|\.)next(cursor|page|token|pagetoken)?$/,
    /(^|\.)(cursor|after|continuation)(token)?$/,
  ],
};

export interface Found {
  readonly theirs: string;
  /** One value was left over, and nothing else says what it is. */
  readonly isGuess: boolean;
}

/** Their name for each of our fields that a body has: as ours, written in another way, or by a usual name. */
export function findFields(
  body: unknown,
  schema: string,
  wanted: readonly string[],
  known: (ours: string) => unknown,
): ReadonlyMap<string, Found> {
  const leaves = leavesOf(body);
  const found = new Map<string, Found>();
  const isFree = (path: string) => ![...found.values()].some(({ theirs }) => theirs === path);
  const fits = (ours: string, path: string) =>
    leaves.has(path) &&
    (usual[ours]?.[0] ?? isId)(leaves.get(path)) &&
    isFree(path) &&
    !ours.startsWith(`${path}.`);
  const take = (ours: string, theirs: string | undefined, isGuess = false) => {
    if (theirs !== undefined && !found.has(ours)) found.set(ours, { theirs, isGuess });
  };
  const ours = fieldsOf(schema);
  for (const name of ours) if (fits(name, name)) take(name, name);
  for (const name of wanted) {
    const before = known(name);
    if (typeof before === 'string' && fits(name, before)) take(name, before);
  }
  for (const name of ours)
    take(
      name,
      [...leaves.keys()].find((path) => plain(path) === plain(name) && isFree(path)),
    );
  for (const name of wanted) {
    const [, ...names] = usual[name] ?? [];
    for (const like of names)
      take(
        name,
        [...leaves.keys()].find((path) => like.test(plain(path)) && fits(name, path)),
      );
  }
  for (const name of wanted.filter((one) => one !== 'status' && one !== 'nextCursor')) {
    const left = [...leaves.keys()].filter((path) => fits(name, path));
    if (left.length === 1) take(name, left[0], true);
  }
  return found;
}

const wrappers = /^(data|result|response|payload|body|content|generation|item|object|d|value)$/i;

/** The member that holds a body: an object beside which nothing of what is wanted stands. */
export function findWrap(
  body: unknown,
  schema: string,
  wanted: readonly string[],
): string | undefined {
  if (!isObject(body)) return undefined;
  const tops = new Set(fieldsOf(schema).map((name) => plain(name.split('.')[0] as string)));
  const outside = Object.entries(body).filter(([, value]) => !isObject(value));
  const objects = Object.entries(body).filter(([, value]) => isObject(value));
  const holds = ([, value]: [string, unknown]) =>
    Object.keys(value as object).some((name) => tops.has(plain(name))) ||
    wanted.some((name) =>
      [...leavesOf(value).keys()].some((path) => usual[name]?.[1]?.test(plain(path))),
    );
  const candidates = objects.filter((entry) => wrappers.test(entry[0]) && holds(entry));
  const only = objects.length === 1 && outside.length === 0 ? objects.filter(holds) : [];
  const [wrap] = candidates.length > 0 ? candidates : only;
  if (!wrap) return undefined;
  // `{ "id": …, "result": { "text": … } }` is no wrapper: something that is wanted stands beside it.
  const inside = findFields(wrap[1], schema, wanted, () => undefined);
  const beside = findFields(Object.fromEntries(outside), schema, wanted, () => undefined);
  const isSolid = [...inside.values()].filter(({ isGuess }) => !isGuess).length;
  const isBeside = [...beside].filter(
    ([name, { isGuess }]) => !isGuess && !inside.has(name),
  ).length;
  return isSolid > isBeside ? wrap[0] : undefined;
}
