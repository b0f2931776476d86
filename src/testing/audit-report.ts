/** What one case found: what was expected, what came back, and whether that is right. */
export interface Finding {
  readonly expected: string;
  readonly got: string;
  readonly ok: boolean;
  readonly durationMs: number;
  /** The responses are right, but what matters cannot be seen in them. */
  readonly notObservable?: true;
}

/** The result of one case. */
export interface AuditResult extends Omit<Finding, 'notObservable'> {
  /** The name of the case. */
  readonly name: string;
  /** `not_observable`: the responses are right, but only the effects would show whether the receiver is. */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'not_observable';
  /** Why it matters and what to do; only if it failed or cannot be observed. */
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
  /** How many cases were skipped. */
  readonly skipped: number;
  /** How many cases cannot be decided from the responses. `ok` says nothing about them. */
  readonly notObservable: number;
  /** The cases, in the order in which they ran. */
  readonly results: readonly AuditResult[];
  /** The report as text, for a person. */
  toString(): string;
}

/** Counts the results and creates the report. */
export function createReport(results: readonly AuditResult[], problem?: string): AuditReport {
  const count = (outcome: AuditResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const notObservable = count('not_observable');
  const counts = { passed, failed, skipped, notObservable };
  const report = { ok: failed === 0, ...(problem && { problem }), ...counts, results };
  // Not enumerable: the report stays plain data.
  Object.defineProperty(report, 'toString', { value: () => formatReport(report) });
  return report;
}

const marks = { passed: 'ok', failed: 'FAIL', skipped: '-', not_observable: '?' };

/** Aligned text, with advice under each failed case. */
function formatReport(report: Omit<AuditReport, 'toString'>): string {
  const { problem, passed, failed, skipped, notObservable } = report;
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
  return [
    ...(problem ? [problem, ''] : []),
    line(head),
    ...rows.flatMap(({ cells, advice }) =>
      advice && !problem ? [line(cells), `      ${advice}`] : [line(cells)],
    ),
    `${passed} passed, ${failed} failed, ${skipped} skipped, ${notObservable} not observable`,
  ].join('\n');
}
