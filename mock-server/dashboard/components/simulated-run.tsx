import { useState } from 'preact/hooks';
import {
  type Reproduction,
  replayFileLine,
  type TraceEntry,
} from '../../simulate/reproduction-format.ts';
import { clockTime, shorten } from '../../simulate/timeline.ts';
import { count, duration } from '../logic/format.ts';
import { Code } from './code.tsx';
import { Id } from './copy.tsx';
import { Facts } from './detail.tsx';

interface SimulatedRunProps {
  /** The file's name. A page does not know its folder. */
  readonly file: string;
  readonly reproduction: Reproduction;
}

/** The failure, how to run it again, and every step that led to it. */
export function SimulatedRun({ file, reproduction }: SimulatedRunProps) {
  const { seed, cause, faults, trace, traceHash, replay, caller, module } = reproduction;
  const source = module ?? caller;
  return (
    <>
      <section class="notice bad" aria-label="The failure">
        <h2>Seed {seed} fails</h2>
        <p class="cause">{cause}</p>
      </section>
      <div class="grid">
        <section class="card" aria-labelledby="run-facts">
          <h2 id="run-facts">The run</h2>
          <Facts
            rows={[
              ['File', <code key="file">{file}</code>],
              source !== undefined && ['Simulated by', <code key="source">{source}</code>],
              ['Steps', count(trace.length)],
              ['Simulated time', duration((trace.at(-1)?.at ?? 0) - (trace[0]?.at ?? 0))],
              ['Trace hash', <Id key="hash" value={traceHash} what="the trace hash" />],
            ]}
          />
          <h3>Faults needed to reproduce it</h3>
          {faults.length === 0 && <p class="muted">None: it fails without any fault.</p>}
          <ul class="faults">
            {faults.map((fault) => (
              <li key={fault} class="badge warn">
                {fault}
              </li>
            ))}
          </ul>
        </section>
        <section class="card" aria-labelledby="run-again">
          <h2 id="run-again">Run it again</h2>
          <h3>The whole seed</h3>
          <Code text={replay} what="the command that replays the seed" />
          <h3>Only these faults</h3>
          <Code
            text={replayFileLine(reproduction, file)}
            what="the command that replays the faults"
          />
          <p class="hint">Put the file's folder in front of its name.</p>
        </section>
      </div>
      <Steps trace={trace} cause={cause} />
    </>
  );
}

function Steps({ trace, cause }: Pick<Reproduction, 'trace' | 'cause'>) {
  const [isComplete, setComplete] = useState(false);
  const start = trace[0]?.at ?? 0;
  const shown = trace.filter(({ minor }) => isComplete || !minor);
  return (
    <section class="card" aria-labelledby="run-steps">
      <header>
        <h2 id="run-steps">Timeline</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={isComplete}
            onChange={({ currentTarget }) => setComplete(currentTarget.checked)}
          />
          Values and timers
        </label>
      </header>
      <ol class="run">
        {shown.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a run never change
          <Step key={index} entry={entry} start={start} isComplete={isComplete} />
        ))}
        <li data-tone="bad">
          <time>{clockTime((trace.at(-1)?.at ?? start) - start)}</time>
          <span class="who">failure</span>
          <span>{cause}</span>
        </li>
      </ol>
    </section>
  );
}

interface StepProps {
  readonly entry: TraceEntry;
  /** When the run began. */
  readonly start: number;
  readonly isComplete: boolean;
}

function Step({ entry: { at, who, what, detail, fault }, start, isComplete }: StepProps) {
  return (
    <li data-tone={fault ? 'warn' : undefined}>
      <time>{clockTime(at - start)}</time>
      <span class="who">{who}</span>
      <span>
        <span title={what}>{shorten(what)}</span>
        {fault && <span class="badge warn">fault</span>}
        {isComplete && detail !== undefined && <code class="muted">{detail}</code>}
      </span>
    </li>
  );
}
