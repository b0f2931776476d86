import { appendFileSync } from 'node:fs';

/** What one fault did to the deliveries that it struck. */
export interface ReportRow {
  readonly store: string;
  readonly client: string;
  readonly fault: string;
  /** The responses to a delivery struck before its claim, in its callback, at its done mark. */
  readonly responses: readonly string[];
  /** `once`, or why an effect can be repeated. */
  readonly promise: string;
  readonly slowestMs: number;
}

/** Adds a row to the report that `node scripts/chaos.mjs` writes. */
export function report(row: ReportRow): void {
  const file = process.env['CHAOS_REPORT'];
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`);
}
