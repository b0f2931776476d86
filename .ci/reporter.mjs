import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * A Vitest reporter for `.ci/run`. Writes a file: `passed failed skipped` on the first line, then one
 * line for each failed test, for each one that passed when retried, and for each error outside tests.
 */
export default class CountsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const notes = [];
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        counts[state === 'pending' ? 'failed' : state] += 1;
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        if (state === 'failed') notes.push(`${name}: ${firstLine(errors)}`);
        if (test.diagnostic()?.flaky) notes.push(`passed when retried: ${name}`);
      }
      const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors());
      if (errors.length > 0) {
        counts.failed += 1;
        notes.push(`${module.relativeModuleId}: ${firstLine(errors)}`);
      }
    }
    if (unhandledErrors.length > 0) {
      counts.failed += unhandledErrors.length;
      notes.push(...unhandledErrors.map((error) => `outside tests: ${firstLine([error])}`));
    }
    const { passed, failed, skipped } = counts;
    writeFileSync(
      process.env.CONTENTGEN_COUNTS,
      [`${passed} ${failed} ${skipped}`, ...notes, ''].join('\n'),
    );
  }
}

function firstLine([error]) {
  return stripVTControlCharacters(error?.message ?? 'no message')
    .split('\n', 1)[0]
    .slice(0, 200);
}
