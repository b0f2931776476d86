// Reads Vitest's JSON report: `node report.mjs counts|files|failed REPORT`.
//   counts  `passed failed skipped`, in one line
//   files   the test files in which something failed, a line each
//   failed  each failed test, with the first words of why
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const [, , what, path] = process.argv;
const report = JSON.parse(readFileSync(path, 'utf8'));
const failedFiles = report.testResults.filter(({ status }) => status === 'failed');
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
      if (tests.length === 0) return [`${nameOf(file)}: ${firstLine(file.message)}`];
      return tests.map(
        (test) => `${nameOf(file)} > ${test.fullName}: ${firstLine(test.failureMessages[0])}`,
      );
    }),
};

for (const line of answers[what]()) console.log(line);
