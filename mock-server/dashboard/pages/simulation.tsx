import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { parseReproduction, type Reproduction } from '../../simulate/reproduction-format.ts';
import { Page } from '../components/page.tsx';
import { SimulatedRun } from '../components/simulated-run.tsx';
import '../styles/simulation.css';

interface OpenFile {
  readonly name: string;
  readonly reproduction: Reproduction;
}

/** Kept while other pages are shown. */
const opened = signal<OpenFile | undefined>(undefined);

/** Shows a failed run from the file that the simulation wrote. */
export function SimulationPage() {
  const [problem, setProblem] = useState('');
  const [isOver, setOver] = useState(false);
  const open = async (file: File | undefined) => {
    if (!file) return;
    // A dropped folder cannot be read.
    const text = await file.text().catch(() => '');
    const reproduction = parseReproduction(text);
    setProblem(reproduction ? '' : notReproduction(file.name));
    if (reproduction) opened.value = { name: file.name, reproduction };
  };
  const current = opened.value;
  return (
    <Page
      title="Simulation"
      intro="The failed run of a simulation, step by step."
      actions={current && <Chooser label="Open another file" open={open} />}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a shortcut; the button does the same */}
      <div
        class="drop"
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void open(event.dataTransfer?.files[0]);
        }}
      >
        {problem && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        {current ? (
          <SimulatedRun file={current.name} reproduction={current.reproduction} />
        ) : (
          <NoFile open={open} />
        )}
      </div>
    </Page>
  );
}

const notReproduction = (name: string): string =>
  `${name} is not a reproduction of a simulation, or was written by a later version.`;

interface ChooserProps {
  readonly label: string;
  readonly open: (file: File | undefined) => Promise<void>;
}

function Chooser({ label, open }: ChooserProps) {
  return (
    <label class="button choose">
      {label}
      <input
        type="file"
        class="hidden"
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          // Cleared so that choosing the same file again, after another run, opens it again.
          void open(currentTarget.files?.[0]).then(() => {
            currentTarget.value = '';
          });
        }}
      />
    </label>
  );
}

function NoFile({ open }: Pick<ChooserProps, 'open'>) {
  return (
    <div class="drop-zone">
      <h2>Drop a reproduction file here</h2>
      <p class="muted">
        A failing simulation writes this file and names it in its error message, for example{' '}
        <code>node_modules/.contentgen/simulation-seed-42.json</code>.
      </p>
      <Chooser label="Choose a file" open={open} />
      <p class="hint">The file never leaves this page.</p>
    </div>
  );
}
