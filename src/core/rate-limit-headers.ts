import type { RateLimitFacts } from '../types.ts';

/**
 * Reads `RateLimit: "name";r=<left>;t=<seconds>` and `RateLimit-Policy: "name";q=<limit>;w=<seconds>`
 * (draft-ietf-httpapi-ratelimit-headers). Takes the first limit and the policy of its name; `undefined` when absent or
 * malformed.
 */
export function parseRateLimit(
  headers: { get(name: string): string | null },
  now: number,
): RateLimitFacts | undefined {
  const [limit] = parseList(headers.get('ratelimit'));
  const { name: policy, r, t = 0 } = limit ?? {};
  if (!policy || r === undefined) return undefined;
  const found = parseList(headers.get('ratelimit-policy')).find(({ name }) => name === policy);
  return {
    policy,
    remaining: r,
    resetsAt: new Date(now + t * 1000),
    ...(found && { limit: found.q, windowSeconds: found.w }),
  };
}

/** An item: its value if that is a string, and the parameters that are counts. */
type Item = Partial<Record<'q' | 'r' | 't' | 'w', number | undefined>> & {
  name: string | undefined;
};

// The grammar of a list (RFC 9651): an item can have more parameters than these four, of any type.
function createPatterns() {
  const text = '"(?:[ !#-[\\]-~]|\\\\["\\\\])*"';
  const number = '-?(?:\\d{1,12}\\.\\d{1,3}|\\d{1,15})';
  const token = "[A-Za-z*][\\w!#$%&'*+.^`|~:/-]*";
  const other = ':[\\w+/=]*:|\\?[01]|@-?\\d{1,15}|%"(?:[ !#$&-~]|%[\\da-f]{2})*"';
  const value = `(?:${text}|${number}|${token}|${other})`;
  const key = '[a-z*][a-z\\d_.*-]*';
  const item = `${value}(?:; *${key}(?:=${value})?)*`;
  const innerList = `\\( *(?:${item}(?: +${item})* *)?\\)`;
  return {
    member: new RegExp(
      `(${value}|${innerList})((?:; *${key}(?:=${value})?)*)(?:[ \\t]*,[ \\t]*(?!$)|$)`,
      'y',
    ),
    parameter: new RegExp(`; *(${key})(?:=(${value}))?`, 'g'),
  };
}

let patterns: ReturnType<typeof createPatterns> | undefined;

/** The items of a structured list; none if any part of it is malformed. */
function parseList(field: string | null): Item[] {
  // Most services send none: looking is cheaper than parsing.
  if (field === null) return [];
  patterns ??= createPatterns();
  const { member, parameter } = patterns;
  const items: Item[] = [];
  for (let at = 0; at < field.length; at = member.lastIndex) {
    member.lastIndex = at;
    const [match, value = '', parameters = ''] = member.exec(field) ?? [];
    if (match === undefined) return [];
    const isText = value.startsWith('"');
    const item: Item = { name: isText ? value.slice(1, -1).replace(/\\(.)/g, '$1') : undefined };
    for (const [, key = '', count = ''] of parameters.matchAll(parameter)) {
      if (/^[qrtw]$/.test(key)) item[key as 'q'] = /^\d+$/.test(count) ? Number(count) : undefined;
    }
    items.push(item);
  }
  return items;
}
