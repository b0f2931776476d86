import type { Context } from '../../domain/context.ts';
import type { LogEvent, RequestEntry } from '../../domain/records.ts';

/**
 * A test that polls a generation this many times while the clock stands still is waiting for something that cannot
 * happen.
 */
const POLLS = 3;

/**
 * Notices common mistakes in tests with a manual clock: nothing fails, but the test waits forever or receives nothing.
 * Each warning is given once.
 */
export function createTestTraps(context: Context, warn: (sentence: string) => void) {
  const { store, ports, scheduler } = context;
  const polls = new Map<string, { readonly now: number; readonly count: number }>();
  let saidTime = false;
  let saidStandstill = false;

  return {
    onEvent({ type, subject = '', data }: LogEvent): void {
      if (saidTime || !type.startsWith('delivery.') || data?.['error'] === undefined) return;
      const { attempts = [], faults = [] } = store.table('deliveries').get(subject) ?? {};
      const attempt = attempts.at(-1);
      if (!isRejectedTime(attempt?.status, attempt?.response)) return;
      if (faults.some(({ effect }) => effect === 'staleTimestamp')) return;
      saidTime = true;
      warn(
        "A receiver rejected a delivery because of its timestamp: it follows the wall clock, but this server's clock is " +
          'manual. Pass now: mock.clock.now to createWebhookHandler or verifyWebhook. If the receiver cannot take a ' +
          "clock, create the server with start: 'now'.",
      );
    },
    onRequest({ operation, status, path }: RequestEntry): void {
      if (saidStandstill || operation !== 'getGeneration' || status !== 200) return;
      const [id = ''] = /gen_[0-9a-z]{26}/.exec(path) ?? [];
      const generation = store.table('generations').get(id);
      if (generation?.status !== 'processing' || scheduler.isRunning(id)) {
        polls.delete(id);
        return;
      }
      const now = ports.clock.now();
      const known = polls.get(id);
      const count = known?.now === now ? known.count + 1 : 1;
      polls.set(id, { now, count });
      if (count < POLLS) return;
      saidStandstill = true;
      warn(
        `${id} was polled ${POLLS} times and is still processing: the clock is manual and has not moved, so processing and a [[delay]] never end. ` +
          'While wait() is pending, call mock.settle() or mock.clock.advance(…), or use a real clock.',
      );
    },
  };
}

/**
 * The mistake if fake timers have replaced `queueMicrotask`, without which the platform never ends reading a body: a
 * request would spin for seconds. Fake timers mark their functions with their clock.
 */
export function findFakedMicrotasks(): string | undefined {
  if (Object(globalThis.queueMicrotask).clock === undefined) return undefined;
  return (
    'queueMicrotask is faked, and without it no request can be read. Leave it out of the fake timers: toFake: ' +
    "['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], or in Jest doNotFake: ['queueMicrotask']."
  );
}

/** This package's error codes and the messages of other libraries contain `timestamp`. */
const isRejectedTime = (status = 0, response = ''): boolean =>
  status >= 400 && status < 500 && /timestamp/i.test(response);
