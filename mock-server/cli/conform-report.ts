import type { ConformanceReport, ConformanceResult } from '../../src/testing/index.ts';

const words = {
  passed: 'passed',
  failed: 'FAILED',
  differs: 'differs',
  absent: 'absent',
  not_observable: 'not observable',
  harness_error: 'HARNESS ERROR',
};

/** How to adapt to what was found. */
function adviceFor({ verdict, seen, adapt }: ConformanceResult): string | undefined {
  if (adapt) return JSON.stringify(adapt);
  const isSettled = /^(passed|not_observable)$/.test(verdict) || /no option/.test(seen);
  return isSettled ? undefined : 'no option does';
}

export const describeResult = (result: ConformanceResult): string => {
  const { id, verdict, seen } = result;
  const text = verdict === 'not_observable' ? `needs ${seen}` : seen;
  const advice = adviceFor(result);
  return `${words[verdict].padEnd(15)}${id.padEnd(28)}${text}${advice ? `\n${' '.repeat(15)}${advice}` : ''}`;
};

export function counts({ results }: ConformanceReport): string {
  return Object.entries(words)
    .map(([verdict, word]) => [results.filter((one) => one.verdict === verdict).length, word])
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${count} ${String(word).toLowerCase()}`)
    .join(', ');
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** One test case for each clause; only a failed one is a failure. */
export function toJunit({ results }: ConformanceReport): string {
  const failures = results.filter(({ verdict }) => /failed|error/.test(verdict)).length;
  const cases = results.map((result) => {
    const { id, source, verdict, seen, exchange = '' } = result;
    const text = escaped(`${words[verdict]}: ${seen}`);
    const inside = /failed|error/.test(verdict)
      ? `<failure message="${text}">${escaped(exchange)}</failure>`
      : verdict === 'not_observable'
        ? `<skipped message="${text}"/>`
        : `<system-out>${text} ${escaped(adviceFor(result) ?? '')}</system-out>`;
    return `  <testcase classname="${source}" name="${id}">${inside}</testcase>`;
  });
  const head = `<testsuite name="contentgen conform" tests="${results.length}" failures="${failures}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...cases, '</testsuite>\n'].join('\n');
}

export function toMarkdown(report: ConformanceReport): string {
  const cell = (text = '') => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = report.results.map((result) => {
    const { id, source, verdict, seen } = result;
    const advice = adviceFor(result);
    const line = advice?.startsWith('{') ? `\`${advice}\`` : advice;
    return `| ${[id, source, words[verdict], cell(seen), cell(line)].join(' | ')} |`;
  });
  const head = ['| clause | source | verdict | seen | adapt |', '|---|---|---|---|---|'];
  return [`${counts(report)}.`, '', ...head, ...rows, ''].join('\n');
}
