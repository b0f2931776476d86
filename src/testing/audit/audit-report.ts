/**
 * What a check found. `warning`: right deliveries are handled and nothing can be forged, but other receivers are
 * stricter. `not_observable`: the responses are right, but they do not show whether the receiver is.
 */
export type AuditOutcome = 'passed' | 'failed' | 'warning' | 'skipped' | 'not_observable';

/** The result of one case. */
export interface AuditResult {
  /** The name of the case. */
  readonly name: string;
  /** What was found. */
  readonly outcome: AuditOutcome;
  /** False only if it failed. */
  readonly ok: boolean;
  /** The right responses, and the right number of effects. */
  readonly expected: string;
  /** What the receiver did. */
  readonly got: string;
  /** How long the slowest response took, ms. */
  readonly durationMs: number;
  /** Why it matters and what to do; absent if the case passed or was skipped. */
  readonly advice?: string;
}

/** What an audit found. `String(report)` is a table. */
export interface AuditReport {
  /** Whether no case failed. */
  readonly ok: boolean;
  /** What to check first, if no delivery was accepted; then only valid ones were sent. */
  readonly problem?: string;
  /** How many cases passed. */
  readonly passed: number;
  /** How many cases failed. */
  readonly failed: number;
  /** How many cases found something that cannot be exploited. */
  readonly warnings: number;
  /** How many cases were skipped. */
  readonly skipped: number;
  /** How many cases cannot be decided from the responses. `ok` says nothing about them. */
  readonly notObservable: number;
  /** The cases, in the order in which they ran. */
  readonly results: readonly AuditResult[];
  /** The report as text, for a person. */
  toString(): string;
}

export function createReport(results: readonly AuditResult[], problem?: string): AuditReport {
  const count = (wanted: AuditOutcome) =>
    results.filter(({ outcome }) => outcome === wanted).length;
  const report = {
    ok: count('failed') === 0,
    ...(problem && { problem }),
    passed: count('passed'),
    failed: count('failed'),
    warnings: count('warning'),
    skipped: count('skipped'),
    notObservable: count('not_observable'),
    results,
  };
  // Not enumerable: the report stays plain data.
  Object.defineProperty(report, 'toString', { value: () => formatReport(report) });
  return report;
}

const marks = { passed: 'ok', failed: 'FAIL', warning: '!', skipped: '-', not_observable: '?' };

function formatReport(report: Omit<AuditReport, 'toString'>): string {
  const { problem, passed, failed, warnings, skipped, notObservable } = report;
  const results = report.results.filter(({ outcome }) => !problem || outcome !== 'skipped');
  const head = ['', 'The receiver', 'expected', 'got', 'in'];
  const rows = results.map(({ outcome, name, expected, got, durationMs, advice }) => ({
    cells: [marks[outcome], name, expected, got, `${Math.round(durationMs)} ms`],
    advice,
  }));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const counts = [
    `${passed} passed`,
    `${failed} failed`,
    warnings === 1 ? '1 warning' : `${warnings} warnings`,
    `${skipped} skipped`,
    `${notObservable} not observable`,
  ];
  return [
    ...(problem ? [problem, ''] : []),
    line(head),
    ...rows.flatMap(({ cells, advice }) =>
      advice && !problem ? [line(cells), `      ${advice}`] : [line(cells)],
    ),
    counts.join(', '),
  ].join('\n');
}
