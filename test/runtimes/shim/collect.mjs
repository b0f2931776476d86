import { titles } from './titles.mjs';

// What `describe`, `test` and the hooks collect, and the loop that runs it: the part of vitest that the
// suite uses, on any runtime.
const { setTimeout, clearTimeout } = globalThis;
const hookTimeout = 10_000;

/** Test file → loads its claims. */
const loaders = new Map();
let group = newGroup();
let finished = [];

// Where an unhandled rejection does not end the process, it fails the file in which it happened.
const unhandled = [];
globalThis.addEventListener?.('unhandledrejection', ({ reason }) => unhandled.push(reason));

function newGroup(name = '', parent = undefined) {
  return { name, parent, children: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
}

export function register(file, load) {
  loaders.set(file, load);
}

const hook = (kind) => (callback) => void group[kind].push(callback);
export const beforeAll = hook('beforeAll');
export const afterAll = hook('afterAll');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');
export const onTestFinished = (callback) => void finished.push(callback);

function addGroup(name, body) {
  const child = newGroup(name, group);
  group.children.push(child);
  const outer = group;
  group = child;
  body?.();
  group = outer;
}

function addClaim(name, check, limit) {
  const [run, options] = typeof check === 'function' ? [check, limit] : [limit, check];
  const timeout = typeof options === 'number' ? options : (options?.timeout ?? 15_000);
  group.children.push({ name, run, timeout });
}

function addSkipped(name) {
  group.children.push({ name, skipped: true });
}

function each(add) {
  return (rows) =>
    (name, body, ...rest) => {
      for (const { title, args } of titles(name, rows)) add(title, () => body(...args), ...rest);
    };
}

function collector(add) {
  return Object.assign(add, {
    each: each(add),
    runIf: (condition) => (condition ? add : addSkipped),
    skipIf: (condition) => (condition ? addSkipped : add),
  });
}
export const describe = collector(addGroup);
export const test = collector(addClaim);

/**
 * Runs the claims of every registered file except those that `except` lists as `{ file, claim }`, with
 * the beginning of the claim's name. Returns the counts, and each failure by file and name.
 */
export async function run(except = []) {
  const result = { claims: 0, skipped: 0, failures: [] };
  for (const [file, load] of loaders) {
    const left = except.filter((entry) => entry.file === file).map(({ claim }) => claim);
    const state = { file, left, met: new Set(), result };
    group = newGroup();
    try {
      await load();
      const before = result.claims;
      await runGroup(group, '', state);
      for (const reason of unhandled.splice(0)) fail(state, 'no rejection is unhandled', reason);
      if (result.claims === before) fail(state, 'the file', new Error('it makes no claim here'));
    } catch (error) {
      fail(state, 'the file', error);
    }
    for (const claim of left) {
      if (!state.met.has(claim)) fail(state, claim, new Error('no claim has this name'));
    }
  }
  return result;
}

function fail({ file, result }, name, error) {
  result.claims += 1;
  result.failures.push({ file, name, error: describeError(error) });
}

/** The stack, and those of its causes. */
function describeError(error) {
  const own = String(error?.stack ?? error);
  return error?.cause === undefined ? own : `${own}\ncaused by ${describeError(error.cause)}`;
}

async function runGroup(current, prefix, state) {
  const chain = ancestors(current);
  const cleanups = [];
  try {
    for (const callback of current.beforeAll) await note(cleanups, callback);
    for (const child of current.children) {
      const name = prefix ? `${prefix} > ${child.name}` : child.name;
      const exception = state.left.find((claim) => name.startsWith(claim));
      if (exception !== undefined) state.met.add(exception);
      else if (child.skipped) state.result.skipped += 1;
      else if (child.children) await runGroup(child, name, state);
      else await runClaim(child, name, chain, state);
    }
  } finally {
    for (const callback of [...current.afterAll, ...cleanups].reverse())
      await inTime(callback, hookTimeout);
  }
}

async function runClaim(claim, name, chain, state) {
  const errors = [];
  const attempt = async (callback) => {
    try {
      await callback();
    } catch (error) {
      errors.push(error);
    }
  };
  const cleanups = [];
  finished = [];
  await attempt(async () => {
    for (const { beforeEach } of chain)
      for (const callback of beforeEach) await note(cleanups, callback);
    await inTime(claim.run, claim.timeout);
  });
  const afters = chain.flatMap(({ afterEach }) => afterEach);
  for (const callback of [...afters, ...cleanups].reverse())
    await attempt(() => inTime(callback, hookTimeout));
  for (const callback of finished.reverse()) await attempt(callback);
  if (errors.length > 0) fail(state, name, errors[0]);
  else state.result.claims += 1;
}

function ancestors(current) {
  return current ? [...ancestors(current.parent), current] : [];
}

/** A hook can return a function that undoes it. */
async function note(cleanups, callback) {
  const undo = await inTime(callback, hookTimeout);
  if (typeof undo === 'function') cleanups.push(undo);
}

async function inTime(check, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([check(), late]);
  } finally {
    clearTimeout(timer);
  }
}
