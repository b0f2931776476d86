import { useState } from 'preact/hooks';
import { codeOf, headerLines } from '../logic/delivery.ts';
import { diffLines } from '../logic/diff.ts';
import { absoluteTime, duration } from '../logic/format.ts';
import type { SentDelivery } from '../state/control.ts';
import { prettyText } from './code.tsx';

type Attempts = SentDelivery['attempts'];

/** Compares two attempts: the outcome, the headers of request and response, and the response body. */
export function AttemptDiff({ attempts }: { attempts: Attempts }) {
  const [pair, setPair] = useState<readonly [number, number]>();
  const last = attempts.length - 1;
  const [before, after] = pair ?? [last - 1, last];
  const [a, b] = [attempts[before], attempts[after]];
  if (!a || !b) return null;
  return (
    <details class="fold">
      <summary>Compare two attempts</summary>
      <div class="form">
        <div class="row small">
          <Pick
            label="First attempt"
            value={before}
            attempts={attempts}
            set={(at) => setPair([at, after])}
          />
          with
          <Pick
            label="Second attempt"
            value={after}
            attempts={attempts}
            set={(at) => setPair([before, at])}
          />
        </div>
        <Diff before={textOf(a)} after={textOf(b)} />
      </div>
    </details>
  );
}

interface PickProps {
  readonly label: string;
  readonly value: number;
  readonly attempts: Attempts;
  readonly set: (at: number) => void;
}

function Pick({ label, value, attempts, set }: PickProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.selectedIndex)}
    >
      {attempts.map((attempt, index) => (
        <option key={attempt.at} value={index}>
          {index + 1}: {codeOf(attempt)}
        </option>
      ))}
    </select>
  );
}

function textOf(attempt: Attempts[number]): string {
  const { at, durationMs, requestHeaders = {}, headers = {}, response = '' } = attempt;
  return [
    `${absoluteTime(Date.parse(at))}, ${duration(durationMs)}`,
    headerLines(requestHeaders),
    `→ ${codeOf(attempt)}`,
    headerLines(headers),
    prettyText(response),
  ]
    .filter(Boolean)
    .join('\n');
}

const marks = { same: ' ', removed: '-', added: '+' } as const;

function Diff({ before, after }: { before: string; after: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="diff" tabIndex={0} aria-label="Difference">
      {diffLines(before, after).map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <pre key={index} data-kind={kind}>
          {marks[kind]} {text}
        </pre>
      ))}
    </section>
  );
}
