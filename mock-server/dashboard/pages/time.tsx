import { useState } from 'preact/hooks';
import type { Duration } from '../../index.ts';
import { useAction } from '../components/action.ts';
import { Confirm } from '../components/confirm.tsx';
import { download } from '../components/copy.tsx';
import { FaultsCard } from '../components/faults.tsx';
import { Field } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { Problem } from '../components/problem.tsx';
import { absoluteTime } from '../logic/format.ts';
import { reading, serverNow, setServerTime } from '../state/clock.ts';
import { control } from '../state/control.ts';
import { forgetToken } from '../state/session.ts';

const jumps = ['1 minute', '5 minutes', '1 hour', '1 day', '5 days', '31 days'] as const;

export function TimePage() {
  return (
    <Page title="Time and faults" narrow>
      <div class="grid">
        <ClockCard />
        <StateCard />
      </div>
      <FaultsCard />
    </Page>
  );
}

function ClockCard() {
  const [custom, setCustom] = useState('90 seconds');
  const advance = useAction(async (duration: string) => {
    setServerTime(await control.clock.advance(duration as Duration));
    forgetToken();
    return `Advanced by ${duration}. Everything due has run.`;
  });
  const settle = useAction(async () => {
    setServerTime(await control.settle());
    return 'Everything due has run.';
  });
  const busy = advance.busy || settle.busy;
  return (
    <section class="card" aria-label="Clock">
      <header>
        <h2>Clock</h2>
        <span class="muted small">
          {reading.value.mode === 'real'
            ? 'follows the wall clock'
            : 'moves only when you advance it'}
        </span>
      </header>
      <time class="clock" dateTime={new Date(serverNow.value).toISOString()}>
        {absoluteTime(serverNow.value)}
      </time>
      <p class="muted small">
        Advancing runs everything that becomes due on the way, in order and at its own time:
        retries, expiries, the end of a month.
      </p>
      <div class="row">
        {jumps.map((jump) => (
          <button type="button" key={jump} disabled={busy} onClick={() => void advance.run(jump)}>
            + {jump}
          </button>
        ))}
      </div>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void advance.run(custom);
        }}
      >
        <label class="hidden" htmlFor="custom">
          Another duration
        </label>
        <input
          id="custom"
          size={14}
          value={custom}
          onInput={({ currentTarget }) => setCustom(currentTarget.value)}
        />
        <button type="submit" disabled={busy}>
          Advance
        </button>
        <button type="button" disabled={busy} onClick={() => void settle.run()}>
          Run what is due now
        </button>
      </form>
      <Problem error={advance.error ?? settle.error} />
    </section>
  );
}

function StateCard() {
  const [resetting, setResetting] = useState(false);
  const save = useAction(async () => {
    const text = JSON.stringify(await control.snapshot());
    download(`contentgen-${new Date(serverNow.value).toISOString().slice(0, 10)}.json`, text);
    return 'Snapshot saved.';
  });
  const load = useAction(async (file: File) => {
    await control.restore(JSON.parse(await file.text()));
    return 'Snapshot restored.';
  });
  return (
    <section class="card" aria-label="State">
      <header>
        <h2>State</h2>
      </header>
      <p class="muted small">
        A snapshot contains everything except plaintext keys, which the server does not store. It
        does contain signing secrets, so keep the file safe.
      </p>
      <div class="row">
        <button type="button" disabled={save.busy} onClick={() => void save.run()}>
          Save snapshot
        </button>
        <button type="button" class="danger" onClick={() => setResetting(true)}>
          Reset…
        </button>
      </div>
      <Field label="Restore a snapshot">
        <input
          type="file"
          accept="application/json"
          disabled={load.busy}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void load.run(file);
            currentTarget.value = '';
          }}
        />
      </Field>
      <Problem error={save.error ?? load.error} />
      {resetting && (
        <Confirm
          title="Reset the server"
          verb="Reset"
          danger
          onClose={() => setResetting(false)}
          work={async () => {
            await control.reset();
            return 'Server reset.';
          }}
        >
          <p>
            This deletes generations, webhooks, deliveries, invoices, faults, and all keys and
            organizations that were added. The first organization and its keys stay.
          </p>
        </Confirm>
      )}
    </section>
  );
}
