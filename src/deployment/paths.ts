import { isObject } from '../options/values.ts';

type Json = Record<string, unknown>;
type Path = readonly string[];

// Names come from a file, and bodies from outside: only own properties are read, and `__proto__` is never a name.

/** The value at a path of a body, through own properties only; a number is a place in a list. */
export function valueAt(body: unknown, path: Path): unknown {
  let value = body;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Json)[name];
  }
  return value;
}

/** Removes a value, and the objects that it leaves empty. */
export function takeAt(body: Json, [name = '', ...rest]: Path): unknown {
  if (!Object.hasOwn(body, name)) return undefined;
  const value = body[name];
  if (rest.length === 0) {
    delete body[name];
    return value;
  }
  if (!isObject(value)) return undefined;
  const found = takeAt(value, rest);
  if (found !== undefined && Object.keys(value).length === 0) delete body[name];
  return found;
}

/** Puts a value at a path; what is in the way and no object is replaced. */
export function putAt(body: Json, [name = '', ...rest]: Path, value: unknown): void {
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const inner = Object.hasOwn(body, name) ? body[name] : undefined;
  const member = isObject(inner) ? inner : {};
  putAt(member, rest, value);
  body[name] = member;
}
