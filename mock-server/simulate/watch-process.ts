import { InvariantError, type InvariantOptions } from './invariants.ts';
import type { World } from './world.ts';

const METHODS = ['debug', 'info', 'log', 'warn', 'error'] as const;

interface RejectionEvents {
  on(event: 'unhandledRejection', listener: (error: unknown) => void): unknown;
  off(event: 'unhandledRejection', listener: (error: unknown) => void): unknown;
  listeners(event: 'unhandledRejection'): ((error: unknown) => void)[];
}

/**
 * Collects what an application writes to the console, and the rejections that nobody handles. Returns a function that
 * stops it.
 *
 * @param isShown - Whether the console shows it too: people read one run, not a thousand.
 */
export function watchProcess(
  world: World,
  options: InvariantOptions,
  isShown: boolean,
): () => void {
  const { adminKey, memberKey, signingSecret } = world.service.server;
  const secrets = [adminKey, memberKey, signingSecret];
  const withoutSecrets = (text: string) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  const real = METHODS.map((method) => [method, console[method]] as const);
  for (const [method, write] of real) {
    console[method] = (...values: unknown[]) => {
      const text = withoutSecrets(values.map(String).join(' '));
      world.trace.add(world.current?.name ?? 'run', `console.${method}: ${text.slice(0, 200)}`);
      const shown = values.map(inspect).join(' ');
      if (options.secrets !== false && secrets.some((secret) => shown.includes(secret))) {
        world.fail(new InvariantError('secrets', `console.${method} was given a key or secret.`));
      }
      if (isShown) write.apply(console, values);
    };
  }
  const stopRejections = options.rejections === false ? () => {} : catchRejections(world);
  return () => {
    stopRejections();
    for (const [method, write] of real) console[method] = write;
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
function catchRejections(world: World): () => void {
  const { process } = globalThis as { process?: unknown } as { process?: RejectionEvents };
  if (!process?.listeners) return () => {};
  const others = process.listeners('unhandledRejection');
  const listener = (error: unknown) => {
    const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    world.fail(new InvariantError('rejections', `Unhandled promise rejection: ${name}`));
  };
  for (const other of others) process.off('unhandledRejection', other);
  process.on('unhandledRejection', listener);
  return () => {
    process.off('unhandledRejection', listener);
    for (const other of others) process.on('unhandledRejection', other);
  };
}
