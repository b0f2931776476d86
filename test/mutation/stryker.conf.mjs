// Mutates the code and counts the mutants that the tests detect, one area at a time:
//   CONTENTGEN_MUTATE=signing npm test --prefix test/mutation    (signing, webhooks, api, schedule)
// Tests that start processes or servers are left out: they are slow and say little about single lines.
const receiving = ['test/signing', 'test/webhooks/!(postgres|redis)*.test.ts'];
const areas = {
  signing: { mutate: ['src/signing/**/*.ts'], tests: receiving },
  webhooks: {
    mutate: ['src/webhooks/**/*.ts', '!src/webhooks/dedupe/{redis,postgres}*.ts'],
    tests: receiving,
  },
  api: {
    mutate: ['mock-server/api/**/*.ts'],
    tests: ['test/mock-server/service', 'test/mock-server/service/operations'],
  },
  schedule: {
    mutate: ['mock-server/domain/delivery/retry-schedule.ts'],
    tests: ['test/mock-server/delivery/{schedule,delivery}.test.ts'],
  },
};
const area = areas[process.env.CONTENTGEN_MUTATE ?? 'signing'];
if (!area)
  throw new Error(
    `Failed to start: CONTENTGEN_MUTATE must be one of ${Object.keys(areas).join(', ')}.`,
  );
process.env.CONTENTGEN_MUTATION_TESTS = area.tests.join(' ');

export default {
  plugins: ['./test/mutation/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: area.mutate,
  // Messages and labels are not behavior.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['dist', 'docs', 'bench', 'examples', 'artifacts', 'test/*/node_modules'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
  tempDirName: 'node_modules/.cache/stryker',
  cleanTempDir: 'always',
  disableTypeChecks: false,
};
