import type { DeploymentJson } from '../../deployment-port.ts';
import { isObject, isText } from '../../options/values.ts';

/** A field that a body should have. */
export interface Wanted {
  /** Our name; a dot starts a member of an object. */
  readonly name: string;
  /** Whether a value can be it. */
  is(value: unknown): boolean;
  /** What a service might call it. */
  readonly like: RegExp;
  /** Values that only this field has: no name is needed. */
  readonly isSurely?: (value: unknown) => boolean;
  /** Not every service has it, so the only value that is left need not be it. */
  readonly isOptional?: true;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;
const isNumber = (value: unknown) => typeof value === 'number';

/** A field that is nowhere else. */
const only = (name: string, is: (value: unknown) => boolean) =>
  ({ name, is, like: /^$/, isOptional: true }) as const;

const words = /^(processing|pending|queued|running|accepted|in_progress|started|submitted)$/i;

/** The fields of the contract that a service might call something else. */
export const wanted = {
  requestId: {
    name: 'requestId',
    is: isText,
    like: /^(?!.*(user|account|customer|org|organization|project|tenant)_?id$).*(^|\.|_|request|job|generation|task)_?(id|uuid)$|^(request|job|task|reference|handle)$/i,
  },
  result: {
    name: 'result',
    is: isText,
    like: /^(?!.*type$).*(result|output|text|content|completion|answer|message|response|generated)[^.]*$/i,
  },
  model: { name: 'model', is: isText, like: /(model|engine)[^.]*$/i },
  totalTokens: {
    name: 'usage.totalTokens',
    is: isCount,
    like: /^(?!.*(prompt|completion|input|output|cache)).*(total|tokens|units|used|consumed)/i,
  },
  status: {
    name: 'status',
    is: isText,
    like: /(status|state|phase|stage)$/i,
    isSurely: (value) => isText(value) && words.test(value),
  },
  key: {
    name: 'key',
    is: (value) => isText(value) && value.length >= 16 && !/\s/.test(value),
    like: /^(?!.*(id|type|name|hint)$).*(key|token|secret|credential|value|plain)/i,
    isSurely: (value) => isText(value) && /^cg_(live|test)_/.test(value),
  },
  secret: {
    name: 'secret',
    is: (value) => isText(value) && value.length >= 16 && !/\s/.test(value),
    like: /^(?!.*(id|type|name)$).*(secret|key|signing|token)/i,
    isSurely: (value) => isText(value) && value.startsWith('whsec_'),
  },
  id: { name: 'id', is: isText, like: /(^|\.|_)(id|uuid)$|Id$/ },
  data: { name: 'data', is: Array.isArray, like: /./ },
  nextCursor: {
    name: 'nextCursor',
    is: isText,
    like: /next|cursor|after|page|continuation|token/i,
  },
  used: only('used', isNumber),
  quota: only('quota', isNumber),
  remaining: only('remaining', isNumber),
  requests: only('requests', isNumber),
  event: only('event', isText),
  organization: only('organization', isText),
  usage: only('usage', isNumber),
  threshold: only('threshold', isNumber),
} as const satisfies Record<string, Wanted>;

/** Fields of the contract that no clause looks for: they are no other field either. */
const others =
  'requestId status model result usage.totalTokens delta createdAt completedAt occurredAt updatedAt usage.promptTokens usage.completionTokens webhookUrl name role hint project organization createdBy event url description'.split(
    ' ',
  );

/** The members of a body that are no objects, each with its path. */
function leaves(body: unknown, path = '', depth = 0): (readonly [path: string, value: unknown])[] {
  if (!isObject(body) || depth > 4) return path ? [[path, body]] : [];
  return Object.entries(body).flatMap(([name, value]) =>
    name.includes('.') ? [] : leaves(value, path ? `${path}.${name}` : name, depth + 1),
  );
}

export function at(body: unknown, path: string): unknown {
  let value = body;
  for (const name of path.split('.')) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** The member that holds the body: none of the fields is beside it, and it is the only object. */
export function findWrap(body: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const firsts = [...names.map((name) => name.split('.', 1)[0] as string), 'data', 'id'];
  const objects = Object.entries(body).filter(([, value]) => isObject(value));
  if (firsts.some((name) => Object.hasOwn(body, name) && !isObject(body[name]))) return undefined;
  const holds = (value: unknown) => firsts.some((name) => Object.hasOwn(Object(value), name));
  const usual = /^(data|result|response|payload|body|content|generation|item|object)$/i;
  const [wrap, ...more] = objects.filter(
    ([name, value]) => !names.includes(name) && (holds(value) || usual.test(name)),
  );
  if (!wrap || more.length > 0) return undefined;
  return Object.keys(body).length === 1 || holds(wrap[1]) ? wrap[0] : undefined;
}

/** Theirs for each field that is not at our name. */
export function findFields(
  body: unknown,
  ours: unknown,
  fields: readonly Wanted[],
  known: Readonly<Record<string, string>>,
  hints: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const found: Record<string, string> = {};
  const present = fields.filter(({ name, is }) => is(at(ours, name)));
  const taken = new Set<string>([
    ...others,
    ...present.map(({ name }) => known[name] ?? name),
    ...Object.values(known),
  ]);
  // Sure ones first, so that the others cannot take theirs.
  const missing = fields
    .filter((field) => !present.includes(field))
    .sort((one, other) => Number(!one.isSurely) - Number(!other.isSurely));
  for (const { name, is, like, isSurely, isOptional } of missing) {
    const free = leaves(body).filter(([path, value]) => !taken.has(path) && is(value));
    const hinted = free.filter(([path]) => path === hints[name]);
    const sure = free.filter(([, value]) => isSurely?.(value));
    const named = free.filter(([path]) => like.test(path));
    const [best] = [hinted, sure, named, free.length === 1 && !isOptional ? free : []].flat();
    if (!best) continue;
    found[name] = best[0];
    taken.add(best[0]);
  }
  return found;
}

/** The lines of both files; where they say different things, the second one counts. */
export function mergeLines(one: DeploymentJson, other: DeploymentJson): DeploymentJson {
  const names = (['fields', 'paths', 'statuses', 'eventNames'] as const).filter(
    (name) => one[name] ?? other[name],
  );
  const merged = names.map((name) => [name, { ...one[name], ...other[name] }]);
  const absent = [...new Set([...(one.absent ?? []), ...(other.absent ?? [])])];
  return {
    ...{ ...one, ...other, ...Object.fromEntries(merged) },
    ...(absent.length > 0 && { absent }),
  };
}

/** The value of a JSON text, `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
