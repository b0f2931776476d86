import { nextTurn } from './quiesce.ts';
import type { RunOutcome } from './run.ts';

/** How often the event loop gets a turn, in ms, because a test runner expects signs of life. */
const PAUSE_MS = 50;
const LINE_MS = 200;

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Counts runs and faults, and shows them on a terminal. */
export function createProgress(shown: boolean | undefined, count: number) {
  const terminal = (globalThis.process as { stderr?: Terminal } | undefined)?.stderr;
  const isShown = shown ?? (terminal?.isTTY === true && count > 1);
  const coverage = new Map<string, number>();
  const start = performance.now();
  let runs = 0;
  let faults = 0;
  let pausedAt = start;
  let shownAt = 0;

  const write = (text: string) => {
    if (isShown) terminal?.write(text);
  };
  const line = (now: number) => {
    const perSecond = Math.round((runs / Math.max(1, now - start)) * 1000);
    return `\r\u001b[K${runs} of ${count} runs, ${perSecond} a second, ${faults} faults`;
  };
  return {
    ran(outcome: RunOutcome): void {
      runs += 1;
      for (const [key, times] of outcome.faults) {
        coverage.set(key, (coverage.get(key) ?? 0) + times);
        faults += times;
      }
    },
    failed: (seed: number) =>
      write(`${line(performance.now())}, seed ${seed} fails: reducing it\n`),
    pause(): Promise<void> | undefined {
      const now = performance.now();
      if (now - pausedAt < PAUSE_MS) return undefined;
      pausedAt = now;
      if (now - shownAt > LINE_MS) {
        shownAt = now;
        write(line(now));
      }
      return nextTurn();
    },
    faults: () => faults,
    /** Ends the line; returns how many times each fault hit each call. */
    end(): Readonly<Record<string, number>> {
      const most = [...coverage].sort(([, a], [, b]) => b - a);
      const rows = most.slice(0, 20).map(([key, times]) => `${String(times).padStart(8)}  ${key}`);
      write(`${line(performance.now())}\n${rows.join('\n')}\n`);
      return Object.fromEntries(most);
    },
  };
}
