import { isObject } from '../domain/is-object.ts';
import type { Json } from '../domain/records.ts';
import { redactSecrets } from '../domain/redact.ts';

/** Fields and parameters whose value is a secret, whatever it looks like. */
const SECRET_NAME =
  /^(?:x[-_]?)?(?:api[-_]?key|access[-_]?token|authorization|key|password|secret|signature|token)$/i;
const REDACTED = '[redacted]';
/** No request of the contract nests deeper. Deeper values could not be serialized again. */
const MAX_DEPTH = 4;

/** The path and query of a request as the log keeps them. A percent-encoded secret is found too. */
export function redactPath({ pathname, search }: URL): string {
  const path = redactEncoded(pathname);
  if (search.length < 2) return path;
  const parameters = search.slice(1).split('&').map(redactParameter);
  return `${path}?${parameters.join('&')}`;
}

function redactParameter(parameter: string): string {
  const end = parameter.indexOf('=');
  if (end === -1) return redactEncoded(parameter);
  const name = parameter.slice(0, end);
  if (SECRET_NAME.test(decode(name))) return `${name}=${REDACTED}`;
  return `${redactEncoded(name)}=${redactEncoded(parameter.slice(end + 1))}`;
}

/** Unchanged unless it holds a secret; with one, it is kept decoded. */
function redactEncoded(text: string): string {
  if (!text.includes('%')) return redactSecrets(text);
  const decoded = decode(text);
  const redacted = redactSecrets(decoded);
  return redacted === decoded ? text : redacted;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A body as the log keeps it: without secrets and without values that nest too deep. */
export function redactBody(body: unknown): Json | undefined {
  return isObject(body) ? redactValue(body, MAX_DEPTH + 1) : undefined;
}

/** Undefined for what nests too deep. */
function redactValue(value: unknown, depth: number): Json | undefined {
  if (typeof value === 'string') return redactSecrets(value);
  if (typeof value !== 'object' || value === null) return value as Json;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, depth - 1));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const fields: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    const kept = SECRET_NAME.test(name) ? REDACTED : redactValue(member, depth - 1);
    if (kept !== undefined) fields.push([redactSecrets(name), kept]);
  }
  return Object.fromEntries(fields);
}

/** A problem document as the log keeps it; its messages name what was sent. */
export function redactProblem<Problem extends object>(problem: Problem): Problem {
  const text = JSON.stringify(problem);
  const redacted = redactSecrets(text);
  return redacted === text ? problem : (JSON.parse(redacted) as Problem);
}
