import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CountedServer, collectorKey, type SituationView } from '../control/logs/coverage.ts';

/** Where the processes of a run save their counts: a folder of the reporter. */
const VARIABLE = 'CONTENTGEN_COVERAGE';

type Counts = readonly SituationView[];

interface Collector {
  add(server: CountedServer): void;
  /** What was counted since the last call. */
  take(): Counts;
}

/** Options of {@link CoverageReporter}. */
export interface CoverageReporterOptions {
  /** How many different situations the tests must meet; otherwise the run fails. @default 0 */
  readonly min?: number;
}

/**
 * Counts the situations that every mock of a test file meets, for {@link CoverageReporter}. Call it in a set-up file:
 * one of `setupFiles` in Vitest, of `setupFilesAfterEnv` in Jest. Without the reporter it does nothing.
 *
 * @param afterAll - The hook of the test runner: the counts are saved once the tests of the file have ended
 * @example
 * import { recordCoverage } from 'contentgen/mock/coverage';
 * import { afterAll } from 'vitest';
 *
 * recordCoverage(afterAll);
 */
export function recordCoverage(afterAll: (save: () => void) => unknown): void {
  const folder = process.env[VARIABLE];
  if (folder === undefined) return;
  const shared = globalThis as { [collectorKey]?: Collector };
  shared[collectorKey] ??= createCollector();
  const collector = shared[collectorKey];
  afterAll(() => {
    writeFileSync(join(folder, crypto.randomUUID()), JSON.stringify(collector.take()));
  });
}

function createCollector(): Collector {
  let total: Counts = [];
  /** What is in the total already. */
  const counted = new Map<CountedServer, Counts>();
  const count = (server: CountedServer) => {
    const now = server.coverage();
    total = plus(plus(total, now), counted.get(server) ?? [], -1);
    counted.set(server, now);
  };
  return {
    add(server) {
      counted.set(server, []);
      const { reset, restore } = server;
      // Both replace the logs.
      server.reset = () => {
        count(server);
        reset();
        counted.set(server, server.coverage());
      };
      server.restore = (snapshot) => {
        count(server);
        restore(snapshot);
        counted.set(server, server.coverage());
      };
    },
    take() {
      for (const server of counted.keys()) count(server);
      const taken = total;
      total = [];
      return taken;
    },
  };
}

function plus(one: Counts, other: Counts, sign = 1): Counts {
  const numbers = new Map(one.map((row) => [row.name, row]));
  for (const { name, met, handled } of other) {
    const before = numbers.get(name) ?? { met: 0, handled: 0 };
    const sum = { met: before.met + sign * met, handled: before.handled + sign * handled };
    numbers.set(name, { name, ...sum });
  }
  return [...numbers.values()];
}

/**
 * A reporter for Vitest and for Jest: prints which situations the tests of a run never met. The tests call
 * {@link recordCoverage}.
 *
 * @example
 * // vitest.config.ts; jest.config.js takes the same list
 * export default { test: { reporters: ['default', ['contentgen/mock/coverage', { min: 12 }]] } };
 */
export default class CoverageReporter {
  readonly #folder: string;
  readonly #min: number;
  #error: Error | undefined;

  /** Vitest passes the options; Jest passes its configuration, and then the options. */
  constructor(first: CoverageReporterOptions | object = {}, second?: CoverageReporterOptions) {
    const { min = 0 }: CoverageReporterOptions = second ?? first;
    if (!Number.isInteger(min) || min < 0)
      throw new TypeError(`min must be an integer of 0 or more; received ${min}.`);
    this.#min = min;
    const folder = mkdtempSync(join(tmpdir(), 'contentgen-coverage-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    // Inherited by the processes and threads that run the tests.
    process.env[VARIABLE] = folder;
    this.#folder = folder;
  }

  /** Called by Vitest. */
  onTestRunEnd(): void {
    this.#report();
    if (this.#error) process.exitCode = 1;
  }

  /** Called by Jest. */
  onRunComplete(): void {
    this.#report();
  }

  /** Called by Jest: an error fails the run. */
  getLastError(): Error | undefined {
    return this.#error;
  }

  #report(): void {
    const files = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    const all = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Counts);
    // Empty again for the next run in watch mode.
    for (const file of files) rmSync(file);
    const situations = all.reduce<Counts>((total, one) => plus(total, one), []);
    const met = situations.filter((one) => one.met > 0);
    const never = situations.filter((one) => one.met === 0).map(({ name }) => name);
    const unhandled = met.filter(({ handled }) => handled === 0).map(({ name }) => name);
    const lines = [
      `Situations: your tests met ${met.length} of ${situations.length}.`,
      ...(unhandled.length > 0 ? [`Your tests never handled: ${unhandled.join(', ')}`] : []),
      ...(never.length > 0 ? [`Your tests never met: ${never.join(', ')}`] : []),
    ];
    if (situations.length === 0)
      lines[0] = 'Situations: no mock was counted. Call recordCoverage(afterAll) in a set-up file.';
    const message = `Your tests met too few situations: ${met.length}, and min is ${this.#min}.`;
    this.#error = met.length < this.#min ? new Error(message) : undefined;
    if (this.#error) lines.push(message);
    console.log(`\n${lines.join('\n')}`);
  }
}
