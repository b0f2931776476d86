import type { AuditReport } from './audit.ts';

const marks = { passed: 'ok', failed: 'FAIL', skipped: '-' };

/** The report as aligned text; what failed says what to do. */
export function auditTable(report: Omit<AuditReport, 'toString'>): string {
  const rows = report.results.map(({ outcome, name, expected, got, durationMs, advice }) => ({
    cells: [marks[outcome], name, expected, got, `${Math.round(durationMs)} ms`],
    advice,
  }));
  const head = ['', 'The receiver', 'wanted', 'got', 'in'];
  const all = [head, ...rows.map(({ cells }) => cells)];
  const widths = head.map((_, column) =>
    Math.max(...all.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const { passed, failed, skipped } = report;
  return [
    line(head),
    ...rows.flatMap(({ cells, advice }) =>
      advice ? [line(cells), `      ${advice}`] : [line(cells)],
    ),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].join('\n');
}
