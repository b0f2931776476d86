import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import CoverageReporter, {
  type CoverageReporterOptions,
  recordCoverage,
} from '../../../mock-server/composition/coverage-reporter.ts';
import { collectorKey } from '../../../mock-server/control/logs/coverage.ts';
import { createMockServer, type MockServer } from '../../../mock-server/index.ts';

const forget = () => {
  delete process.env['CONTENTGEN_COVERAGE'];
  delete (globalThis as { [collectorKey]?: unknown })[collectorKey];
  process.exitCode = undefined;
};
beforeEach(forget);
afterEach(() => {
  forget();
  vi.restoreAllMocks();
});

/** Runs test files as a runner does, and returns what the reporter prints. */
function run(options: CoverageReporterOptions, ...files: readonly (() => Promise<void>)[]) {
  const reporter = new CoverageReporter(options);
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  return {
    reporter,
    async print() {
      for (const file of files) {
        const hooks: (() => void)[] = [];
        recordCoverage((hook) => hooks.push(hook));
        await file();
        for (const hook of hooks) hook();
      }
      reporter.onTestRunEnd();
      return `${print.mock.calls.at(-1)?.[0]}`;
    },
  };
}

const call = (mock: MockServer, key: string) =>
  mock.fetch(`${mock.baseUrl}/api/usage`, { headers: { 'x-api-key': key } });

async function rejected(mock = createMockServer({ clock: 'manual', seed: 1 })) {
  expect((await call(mock, 'wrong')).status).toBe(401);
  return mock;
}

describe('the reporter for test runners', () => {
  test('names what no test met, and what none handled', async () => {
    const printed = await run({}, async () => void (await rejected())).print();
    expect(printed).toMatch(/^\nSituations: your tests met 1 of 34\.$/m);
    expect(printed).toMatch(/^Your tests never handled: credentials rejected$/m);
    expect(printed).toMatch(
      /^Your tests never met: response lost, response late, .*payment failed$/m,
    );
  });

  test('adds up files, mocks and what a reset drops, and counts nothing twice', async () => {
    const shared = createMockServer({ clock: 'manual', seed: 1 });
    let server = shared;
    const { reporter, print } = run(
      {},
      async () => {
        server = await rejected();
        server.reset();
        await rejected(server);
        await call(server, server.memberKey);
      },
      async () => {
        await rejected(server);
        const universe = server.createUniverse();
        expect((await call(universe, universe.memberKey)).status).toBe(200);
        server.restore(server.snapshot());
      },
    );
    const counts = vi.spyOn(JSON, 'stringify');
    expect(await print()).toContain('met 1 of 34');
    const met = counts.mock.calls.flatMap(([rows]) =>
      [rows].flat().filter((row) => row?.name === 'credentials rejected'),
    );
    expect(met).toEqual([
      { name: 'credentials rejected', met: 2, handled: 1 },
      { name: 'credentials rejected', met: 1, handled: 0 },
    ]);
    expect(reporter.getLastError()).toBeUndefined();
  });

  test('fails a run that met fewer situations than min', async () => {
    const { reporter, print } = run({ min: 2 }, async () => void (await rejected()));
    expect(await print()).toContain('\nYour tests met too few situations: 1, and min is 2.');
    expect(reporter.getLastError()?.message).toMatch(/min is 2/);
    expect(process.exitCode).toBe(1);
    expect(() => new CoverageReporter({}, { min: -1 })).toThrow(/min must be an integer/);
  });

  test('says what to do if nothing was counted, and without it nothing is', async () => {
    recordCoverage(() => expect.unreachable());
    const { print } = run({ min: 0 });
    await rejected();
    expect(await print()).toContain('Call recordCoverage(afterAll) in a set-up file.');
  });
});
