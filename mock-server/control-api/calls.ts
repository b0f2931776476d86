import { type Internals, internalsOf } from '../composition/internals.ts';
import type { MockServer } from '../composition/mock-server.ts';
import type { HoldsById } from '../control/hold.ts';

/** The limit of a call and of its result: a snapshot is as large as the server's state. */
export const MAX_BODY_BYTES = 500 * 1024 * 1024;

type AnyFunction = (...args: never) => unknown;

type Mark = 'read' | 'change' | false;

/** Every member of `T`: what a call does to the state, or `false` for what cannot be called from another process. */
export type Marked<T> = {
  readonly [Name in keyof T]: T[Name] extends AnyFunction
    ? Mark
    : T[Name] extends object
      ? Marked<T[Name]> | false
      : false;
};

/**
 * The calls of the control API. Every member of a mock is listed, so that nobody forgets to decide whether it makes
 * sense from another process: what takes or returns a function does not.
 */
export const mockCalls = {
  clock: { mode: false, now: 'read', advance: 'change' },
  hold: false,
  settle: 'change',
  trigger: 'change',
  faults: { add: 'change', list: 'read', remove: 'change', clear: 'change' },
  billing: { list: 'read', pay: 'change', fail: 'change' },
  requests: 'read',
  deliveries: 'read',
  events: 'read',
  coverage: 'read',
  redeliver: 'change',
  issueToken: 'change',
  createOrganization: 'change',
  snapshot: 'read',
  restore: 'change',
  reset: 'change',
  adminKey: false,
  memberKey: false,
  signingSecret: false,
  organization: false,
  baseUrl: false,
  clientOptions: false,
  adminOptions: false,
  receivers: false,
  fetch: false,
  close: false,
} as const satisfies Marked<MockServer>;

/** Holds, which another process names by their ids. */
export const holdCalls = {
  hold: 'read',
  held: { started: 'read', emit: 'read', release: 'read', fail: 'read' },
} as const satisfies Marked<HoldsById>;

export const pageCalls = {
  page: {
    server: 'read',
    activity: 'read',
    list: 'read',
  },
} as const satisfies Marked<Pick<Internals, 'page'>>;

/** The same calls from another process: each returns a promise. */
export type Remote<T, Marks> = {
  readonly [Name in keyof T & keyof Marks as Marks[Name] extends false
    ? never
    : Name]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Remote<T[Name], Marks[Name]>;
};

/** The names of calls, by their path: `clock.advance`. */
export interface Marks {
  readonly [name: string]: Mark | Marks;
}

type Make = (name: string, mark: Mark) => unknown;

/** `make` is called with the name of each call, and its results are arranged like the marks. */
export function eachCall(marks: Marks, make: Make, prefix = ''): object {
  const kept = Object.entries(marks).filter(([, mark]) => mark !== false);
  return Object.fromEntries(
    kept.map(([name, mark]) => {
      const path = prefix + name;
      return [name, typeof mark === 'object' ? eachCall(mark, make, `${path}.`) : make(path, mark)];
    }),
  );
}

interface Call {
  readonly changes: boolean;
  run(args: readonly unknown[]): unknown;
}

/** Every call of a mock by its name. A `Map`, so that `constructor` and `__proto__` are no calls. */
export function callsOf(mock: MockServer): ReadonlyMap<string, Call> {
  const calls = new Map<string, Call>();
  const add = (root: object, marks: Marks) =>
    eachCall(marks, (path, mark) =>
      calls.set(path, {
        changes: mark === 'change',
        run: (args) => callMember(root, path.split('.'), args),
      }),
    );
  add(mock, mockCalls);
  const internals = internalsOf(mock);
  add(internals, pageCalls);
  add(internals.holds, holdCalls);
  return calls;
}

/** Looks the member up at each call, so that a test can replace it. */
function callMember(root: object, path: readonly string[], args: readonly unknown[]): unknown {
  let owner: object = root;
  for (const name of path.slice(0, -1)) owner = (owner as Record<string, object>)[name] as object;
  const member = (owner as Record<string, AnyFunction>)[path.at(-1) as string];
  return Reflect.apply(member as AnyFunction, owner, args);
}
