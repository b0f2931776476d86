// Reads Vitest's JSON report: `node report.mjs counts|files|failed|held REPORT [SECOND]`.
//   counts  `passed failed skipped`, in one line
//   files   the test files in which something failed, a line each
//   failed  each failed test, with the first words of why
//   held    nothing; the exit code is 0 when every failed test passed in the second report
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const [, , what, path, second] = process.argv;
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const report = read(path);
const failedFiles = report.testResults.filter(({ status }) => status === 'failed');
const namesOf = ({ testResults }, wanted) =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === wanted)
      .map(({ fullName }) => `${name} ${fullName}`),
  );
const nameOf = (file) => relative(process.cwd(), file.name);
// A report in colours is for screens.
const firstLine = (text = '') => stripVTControlCharacters(text).split('\n', 1)[0].slice(0, 200);

const answers = {
  counts: () => [
    [
      report.numPassedTests,
      report.numFailedTests,
      report.numPendingTests + report.numTodoTests,
    ].join(' '),
  ],
  files: () => failedFiles.map(nameOf),
  failed: () =>
    failedFiles.flatMap((file) => {
      const tests = file.assertionResults.filter(({ status }) => status === 'failed');
      // A file that does not load has no test.
      if (tests.length === 0)
        return [`${nameOf(file)}: ${firstLine(file.message) || 'no test ran: see above'}`];
      return tests.map(
        (test) => `${nameOf(file)} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`,
      );
    }),
  held: () => {
    const passed = new Set(namesOf(read(second), 'passed'));
    const missing = namesOf(report, 'failed').filter((name) => !passed.has(name));
    process.exitCode = missing.length > 0 ? 1 : 0;
    return [];
  },
};

for (const line of answers[what]()) console.log(line);
