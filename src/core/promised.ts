import type { Deployment } from '../deployment-port.ts';
import type { ContentGenError } from '../errors.ts';
import { promises } from '../generated/promises.ts';
import { isObject } from '../options/values.ts';
import type { OperationId } from '../types.ts';
import { ofGeneration, toError } from './failure.ts';
import { misplacedHint, responseFailure } from './read-response.ts';
import type { CallResult } from './send.ts';

/** @param promised - In place of what the contract promises, in the form of the generated table. */
export function assertPromised(
  result: CallResult,
  operation: OperationId,
  promised?: string,
): void {
  const { deployment } = result.call.options;
  const rows = operation.startsWith('list') ? Object(result.body).data : [result.body];
  for (const row of Array.isArray(rows) ? rows : []) {
    const missing = missingNames(row, operation, deployment, promised);
    if (missing.length > 0) throw lacks(result, missing.join(', '), row);
  }
}

/**
 * The promised names whose lack shows that the service differs: what no caller can do without, or all of them, or what
 * is there in another spelling. A deployment says what it can about the spelling.
 */
export function missingNames(
  body: unknown,
  operation: OperationId,
  deployment?: Deployment,
  promised = promises[operation],
): readonly string[] {
  const all = namesIn(promised);
  const names = deployment
    ? all.filter(({ name }) => deployment.promises(operation, name) !== false)
    : all;
  const missing = names.filter(({ path, isEssential }) =>
    isEssential ? typeof at(body, path) !== 'string' : at(body, path) === undefined,
  );
  if (missing.length === 0) return [];
  // In a deployment, creating a registration may return no secret, or an empty body.
  if (deployment && operation === 'createWebhook' && !wrapperOf(body)) return [];
  const telling = missing.filter(
    ({ name, isEssential }) => isEssential || (!deployment && isMisspelled(body, name)),
  );
  const isForeign = telling.length === 0 && missing.length === names.length;
  return (isForeign ? missing : telling).map(({ name }) => name);
}

interface PromisedName {
  readonly name: string;
  readonly path: readonly string[];
  readonly isEssential: boolean;
}

/** A text of the generated table is read once: every call needs it. */
const known = new Map<string, readonly PromisedName[]>();

function namesIn(promised: string): readonly PromisedName[] {
  const names =
    known.get(promised) ??
    Array.from(promised.matchAll(/([\w.]+)(!?)/g), ([, name = '', mark]) => ({
      name,
      path: name.split('.'),
      isEssential: mark === '!',
    }));
  known.set(promised, names);
  return names;
}

const at = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => Object(value)[name], body);

/** Whether a name is there in another spelling, such as `created_at`. */
function isMisspelled(body: unknown, path: string): boolean {
  const names = path.split('.');
  const name = names.pop() ?? '';
  const inner = at(body, names);
  return Object.keys(Object(inner)).some((key) => plain(key) === plain(name));
}

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

export function unexpectedResponse(
  { call, response, attempts, body }: CallResult,
  problem: string,
): ContentGenError {
  const hint = misplacedHint(response, `The response ${problem}.`);
  const failure = { ...responseFailure(response, 'invalid_response', hint), body };
  return ofGeneration(toError(failure, call, attempts), Object(body).requestId);
}

export function lacks(
  result: CallResult,
  fields: string,
  part: unknown = result.body,
): ContentGenError {
  const names = Object.keys(Object(part)).filter((name) => /^\w{1,40}$/.test(name));
  const present = names.slice(0, 20).join(', ') || 'none';
  const wrap = wrapperOf(part);
  const advice = wrap ? `. If ${wrap} holds every body, set deployment: { wrap: '${wrap}' }` : '';
  return unexpectedResponse(
    result,
    `has no ${fields} (its fields: ${present}); see error.body${advice}`,
  );
}

/** The only member of a body, if it is an object. No body of the contract is an object in an object. */
function wrapperOf(body: unknown): string | undefined {
  const [name = '', second] = Object.keys(Object(body));
  return second === undefined && isObject(Object(body)[name]) && /^\w{1,40}$/.test(name)
    ? name
    : undefined;
}
