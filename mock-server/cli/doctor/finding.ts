import { defaultToleranceS } from '../../../src/webhooks/defaults.ts';
import type { Terminal } from '../terminal.ts';

export { defaultToleranceS };

export interface Finding {
  readonly check: string;
  readonly verdict: 'ok' | 'wrong' | 'skipped';
  readonly detail: string;
}

type Judge = (check: string, detail: string) => Finding;

export const ok: Judge = (check, detail) => ({ check, verdict: 'ok', detail });
export const wrong: Judge = (check, detail) => ({ check, verdict: 'wrong', detail });
export const skipped: Judge = (check, detail) => ({ check, verdict: 'skipped', detail });

const MARKS = { ok: ['green', '✓'], wrong: ['red', '✗'], skipped: ['dim', '-'] } as const;
const INDENT = ' '.repeat(13);

export function printFinding({ check, verdict, detail }: Finding, terminal: Terminal): void {
  const [color, mark] = MARKS[verdict];
  const text = detail.replaceAll('\n', `\n${INDENT}`);
  terminal.out(`${terminal.paint(color, mark)} ${check.padEnd(10)} ${text}`);
}
