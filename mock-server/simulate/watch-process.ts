import { redact } from '../domain/redact.ts';
import { substitute } from './globals.ts';
import { InvariantError, type InvariantOptions, isOn } from './invariants.ts';
import type { Simulation } from './simulation.ts';

const METHODS = ['debug', 'info', 'log', 'warn', 'error'] as const;

interface RejectionEvents {
  on(event: 'unhandledRejection', listener: (error: unknown) => void): unknown;
  off(event: 'unhandledRejection', listener: (error: unknown) => void): unknown;
  listeners(event: 'unhandledRejection'): ((error: unknown) => void)[];
}

/**
 * Collects what an application writes to the console, and unhandled rejections. Returns a function that stops it.
 *
 * @param isShown - Whether the console shows it too: people read the output of one run, not of a thousand.
 */
export function watchProcess(
  simulation: Simulation,
  invariants: InvariantOptions | false | undefined,
  isShown: boolean,
): () => void {
  const { adminKey, memberKey, signingSecret } = simulation.service.server;
  // Secrets that were created or rotated later are found by their format.
  const withoutSecrets = (text: string) => redact(text, [adminKey, memberKey, signingSecret]);
  const restore = METHODS.map((method) => {
    const write = console[method];
    return substitute(console, method, (...values: unknown[]) => {
      const text = withoutSecrets(values.map(String).join(' '));
      simulation.trace.add(
        simulation.current?.name ?? 'run',
        `console.${method}: ${text.slice(0, 200)}`,
      );
      const shown = values.map(inspect).join(' ');
      if (isOn(invariants, 'secrets') && withoutSecrets(shown) !== shown) {
        simulation.fail(
          new InvariantError('secrets', `console.${method} was given a key, secret or token.`),
        );
      }
      if (isShown) write.apply(console, values);
    });
  });
  const stopRejections = isOn(invariants, 'rejections') ? catchRejections(simulation) : () => {};
  return () => {
    stopRejections();
    for (const put of restore) put();
  };
}

interface NodeUtil {
  inspect(value: unknown, options: object): string;
}

/** What the console shows of a value, including what is inside an object or an error. */
function inspect(value: unknown): string {
  if (typeof value === 'string') return value;
  const util = globalThis.process?.getBuiltinModule?.('node:util') as NodeUtil | undefined;
  return util ? util.inspect(value, { depth: 4, maxStringLength: null }) : String(value);
}

/** Replaces the other listeners, because a test runner would report these rejections as its own. */
function catchRejections(simulation: Simulation): () => void {
  const { process } = globalThis as { process?: unknown } as { process?: RejectionEvents };
  if (!process?.listeners) return () => {};
  const others = process.listeners('unhandledRejection');
  const listener = (error: unknown) => {
    const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    simulation.fail(new InvariantError('rejections', `Unhandled promise rejection: ${name}`));
  };
  for (const other of others) process.off('unhandledRejection', other);
  process.on('unhandledRejection', listener);
  return () => {
    process.off('unhandledRejection', listener);
    for (const other of others) process.on('unhandledRejection', other);
  };
}
