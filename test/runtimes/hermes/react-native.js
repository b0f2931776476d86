// The globals of React Native, on top of the shell of Hermes: its timers, its fetch classes (whatwg-fetch), its
// AbortController, and its own URL, whose parts throw. There is no Symbol.asyncIterator, TextDecoder or ReadableStream.
import { AbortController, AbortSignal } from 'abort-controller/dist/abort-controller.js';

/** The shell waits for nothing but promises, so these timers turn until they are due. */
let timers = [];
let isTurning = false;
let count = 0;

function turn() {
  const due = timers.filter(({ at }) => at <= Date.now());
  timers = timers.filter((timer) => !due.includes(timer));
  for (const { run } of due) run();
  isTurning = timers.length > 0;
  if (isTurning) void Promise.resolve().then(turn);
}

function setTimeout(run, ms = 0) {
  count += 1;
  timers.push({ id: count, run, at: Date.now() + ms });
  if (!isTurning) void Promise.resolve().then(turn);
  isTurning = true;
  return count;
}

function clearTimeout(id) {
  timers = timers.filter((timer) => timer.id !== id);
}

const missing = (name) => {
  throw new Error(`URL.${name} is not implemented`);
};

/** As in react-native/Libraries/Blob/URL.js. */
class URL {
  constructor(url) {
    this.href = url.endsWith('/') ? url : `${url}/`;
  }
  get host() {
    return missing('host');
  }
  get origin() {
    return missing('origin');
  }
  get port() {
    return missing('port');
  }
  get protocol() {
    return missing('protocol');
  }
  get pathname() {
    return missing('pathname');
  }
  toString() {
    return this.href;
  }
}

const ignore = () => {};
Object.assign(globalThis, {
  ...{ AbortController, AbortSignal, URL, setTimeout, clearTimeout },
  self: globalThis,
  performance: { now: () => Date.now() },
  console: { assert: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
  FormData: class {},
  URLSearchParams: class {},
});
