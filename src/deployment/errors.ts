import type { DeploymentJson, ToOurs, ToTheirs } from '../deployment-port.ts';
import { bodies } from '../generated/names.ts';
import { isObject } from '../options/values.ts';
import type { OperationId } from '../types.ts';
import { type NamesOf, segments } from './names.ts';
import { putAt, valueAt } from './paths.ts';

type Pointed = { readonly pointer?: unknown; readonly message?: unknown };

const pointerOf = (path: readonly string[]): string =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** `{ 0: … }` is the list of a path such as `errors.0.code`. */
function withLists(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Object.keys(value).join() === '0') return [withLists(value['0'])];
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withLists(one)]));
}

export function errorTranslation(
  { errors }: DeploymentJson,
  namesOf: NamesOf,
): { toTheirs: ToTheirs['problem']; toOurs: ToOurs['problem'] } {
  /** A problem document whose pointers and messages name the fields of the other side. */
  function pointed(operation: OperationId | undefined, body: object, side: 'ours' | 'theirs') {
    const other = side === 'ours' ? 'theirs' : 'ours';
    const schema = operation && bodies[operation].request;
    const { errors: list } = body as { errors?: unknown };
    if (!schema || !Array.isArray(list)) return body;
    const { renamings } = namesOf(schema);
    const move = (error: Pointed) => {
      const { pointer, message } = error;
      if (typeof pointer !== 'string') return error;
      const found = renamings.find((one) => {
        const whole = pointerOf(one[other]);
        return pointer === whole || pointer.startsWith(`${whole}/`);
      });
      if (!found) return error;
      const [before, after] = [found[other].join('.'), found[side].join('.')];
      const renamed =
        typeof message === 'string' && message.startsWith(`${before} `)
          ? { message: after + message.slice(before.length) }
          : {};
      const rest = pointer.slice(pointerOf(found[other]).length);
      return { ...error, pointer: pointerOf(found[side]) + rest, ...renamed };
    };
    return { ...body, errors: list.map((error) => (isObject(error) ? move(error) : error)) };
  }

  if (errors === undefined) {
    return {
      toTheirs: (operation, body) => pointed(operation, body, 'theirs'),
      toOurs: (operation, body) => (isObject(body) ? pointed(operation, body, 'ours') : body),
    };
  }
  if (typeof errors !== 'object') return { toTheirs: () => undefined, toOurs: () => undefined };
  const { code, message } = errors;
  return {
    toTheirs(_, problem) {
      const body = {};
      const from = problem as { code?: unknown; detail?: unknown; title?: unknown };
      if (code !== undefined) putAt(body, segments(code), from.code);
      if (message !== undefined) putAt(body, segments(message), from.detail ?? from.title);
      return withLists(body) as object;
    },
    toOurs(_, body) {
      const said = message === undefined ? undefined : valueAt(body, segments(message));
      const word = code === undefined ? undefined : valueAt(body, segments(code));
      const isCode = typeof word === 'string' || typeof word === 'number';
      // A code becomes part of messages.
      const text = isCode ? `${word}`.replace(/\W+/g, '_').slice(0, 64) : '';
      if (text === '') return undefined;
      return { code: text, ...(typeof said === 'string' && { detail: said }) };
    },
  };
}
