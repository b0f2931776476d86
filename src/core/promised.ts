import type { Deployment } from '../deployment-port.ts';
import type { ContentGenError } from '../errors.ts';
import { promises } from '../generated/promises.ts';
import { isObject } from '../options/values.ts';
import type { OperationId } from '../types.ts';
import { ofGeneration, toError } from './failure.ts';
import { misplacedHint, responseFailure } from './read-response.ts';
import type { CallResult } from './send.ts';

/**
 * Checks that a response has what its type promises, each item of a list too.
 *
 * @param promised - In place of what the contract promises, in the form of the generated table.
 * @throws ParseError with the names that are there, never their values
 */
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
  const names = [...promised.matchAll(/([\w.]+)(!?)/g)]
    .map(([, name = '', mark]) => ({ name, isEssential: mark === '!', value: at(body, name) }))
    .filter(({ name }) => deployment?.promises(operation, name) !== false);
  const missing = names.filter(({ isEssential, value }) =>
    isEssential ? typeof value !== 'string' : value === undefined,
  );
  // A registration in a deployment might have no secret of its own, and its response nothing at all.
  if (deployment && operation === 'createWebhook' && !wrapperOf(body)) return [];
  const telling = missing.filter(
    ({ name, isEssential }) => isEssential || (!deployment && isMisspelled(body, name)),
  );
  const isForeign = telling.length === 0 && missing.length === names.length;
  return (isForeign ? missing : telling).map(({ name }) => name);
}

const at = (body: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => Object(value)[name], body);

/** Whether a name is there in another spelling, such as `created_at`. */
function isMisspelled(body: unknown, path: string): boolean {
  const name = path.replace(/^.*\./, '');
  const inner = path === name ? body : at(body, path.slice(0, -name.length - 1));
  return Object.keys(Object(inner)).some((key) => plain(key) === plain(name));
}

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** The error for a response that doesn't match the contract. */
export function unexpectedResponse(
  { call, response, attempts, body }: CallResult,
  problem: string,
): ContentGenError {
  const hint = misplacedHint(response, `The response ${problem}.`);
  const failure = { ...responseFailure(response, 'invalid_response', hint), body };
  return ofGeneration(toError(failure, call, attempts), Object(body).requestId);
}

/** The error for a response, or an item in it, without some fields; it names those that are there. */
export function lacks(
  result: CallResult,
  fields: string,
  part: unknown = result.body,
): ContentGenError {
  const names = Object.keys(Object(part)).filter((name) => /^\w{1,40}$/.test(name));
  const known = names.slice(0, 20).join(', ') || 'none';
  const wrap = wrapperOf(part);
  const advice = wrap ? `. If ${wrap} holds every body, set deployment: { wrap: '${wrap}' }` : '';
  return unexpectedResponse(
    result,
    `has no ${fields} (its fields: ${known}); see error.body${advice}`,
  );
}

/** The only member of a body, if it is an object. No body of the contract is an object in an object. */
function wrapperOf(body: unknown): string | undefined {
  const [name = '', second] = Object.keys(Object(body));
  return second === undefined && isObject(Object(body)[name]) && /^\w{1,40}$/.test(name)
    ? name
    : undefined;
}
