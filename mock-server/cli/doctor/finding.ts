/** What one check came to; `detail` says what to do. */
export interface Finding {
  readonly check: string;
  readonly verdict: 'ok' | 'wrong' | 'skipped';
  readonly detail: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, verdict: 'ok', detail });
export const wrong = (check: string, detail: string): Finding => ({
  check,
  verdict: 'wrong',
  detail,
});
export const skipped = (check: string, detail: string): Finding => ({
  check,
  verdict: 'skipped',
  detail,
});
