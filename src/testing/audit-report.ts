/** What one case found: what was expected, what came back, and whether that is right. */
export interface Finding {
  readonly expected: string;
  readonly got: string;
  readonly ok: boolean;
  readonly durationMs: number;
}

/** The result of one case. */
export interface AuditResult extends Finding {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it matters and what to do; only if it failed. */
  readonly advice?: string;
}

/** What an audit found. `String(report)` is a table. */
export interface AuditReport {
  readonly ok: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly results: readonly AuditResult[];
  toString(): string;
}

/** Counts the results and makes the report. */
export function createReport(results: readonly AuditResult[]): AuditReport {
  const count = (outcome: AuditResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const report = { ok: failed === 0, passed, failed, skipped, results };
  // Not enumerable: the report stays plain data.
  Object.defineProperty(report, 'toString', { value: () => formatReport(report) });
  return report;
}

const marks = { passed: 'ok', failed: 'FAIL', skipped: '-' };

/** Aligned text, with advice under each failed case. */
function formatReport({ results, passed, failed, skipped }: Omit<AuditReport, 'toString'>): string {
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
    line(head),
    ...rows.flatMap(({ cells, advice }) =>
      advice ? [line(cells), `      ${advice}`] : [line(cells)],
    ),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].join('\n');
}
