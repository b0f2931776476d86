import { useState } from 'preact/hooks';
import { callbackEvents, systemEvents } from '../../domain/event-names.ts';
import { faultEffects } from '../../domain/fault-effects.ts';
import { type Action, Actions } from '../components/actions.tsx';
import { download } from '../components/copy.tsx';
import { type Draft, Form, type Schema, type Values } from '../components/form.tsx';
import { fullTime } from '../components/format.tsx';
import { Problem } from '../components/problem.tsx';
import { clockMode, serverNow } from '../state/clock.ts';
import { control } from '../state/control.ts';
import { changes } from '../state/live.ts';
import { loadServer, organization } from '../state/session.ts';
import { useLive } from '../state/use-live.ts';

export function TimePage() {
  return (
    <>
      <h1 tabIndex={-1}>Time and faults</h1>
      <div class="pair">
        <Clock />
        <Trigger />
      </div>
      <div class="pair">
        <Faults />
        <AddFault />
      </div>
      <State />
    </>
  );
}

/** After a call that moves the clock or changes faults, which the stream does not report. */
function changed(): void {
  changes.value += 1;
}

type Duration = Parameters<typeof control.clock.advance>[0];

const STEPS: readonly Duration[] = ['1 minute', '1 hour', '1 day', '31 days'];

function Clock() {
  const { value } = useLive('server', loadServer);
  const advance = (duration: Duration): Action => ({
    name: `+ ${duration}`,
    async run() {
      await control.clock.advance(duration);
      changed();
    },
  });
  return (
    <article>
      <header>
        <h2>Time</h2>
        <p>A {clockMode.value} clock. Advancing runs everything that falls due, in order.</p>
      </header>
      <p class="clock">
        <time dateTime={new Date(serverNow.value).toISOString()}>{fullTime(serverNow.value)}</time>
      </p>
      <Actions
        actions={[
          ...STEPS.map(advance),
          {
            name: 'Run what is due',
            async run() {
              await control.settle();
              changed();
            },
          },
          {
            name: 'Advance to',
            schema: {
              required: ['time'],
              properties: {
                time: { type: 'string', description: 'Such as 2026-12-01T00:00:00Z, or now.' },
              },
            },
            async run({ time }) {
              await control.clock.advanceTo(String(time));
              changed();
            },
          },
        ]}
      />
      {value && value.waitingFor.length > 0 && (
        <>
          <h3>In progress</h3>
          <ul>
            {value.waitingFor.map((work) => (
              <li key={work}>{work}</li>
            ))}
          </ul>
        </>
      )}
    </article>
  );
}

type TriggerEvent = Parameters<typeof control.trigger>[0];

function Trigger() {
  return (
    <article>
      <header>
        <h2>Trigger an event</h2>
        <p>It is raised as by the service, and delivered to what is registered for it.</p>
      </header>
      <Form
        schema={{
          required: ['event'],
          properties: {
            event: { enum: [...systemEvents, ...callbackEvents] },
            payload: {
              type: 'object',
              description: 'Fields that differ, as JSON: for instance {"records": 128}.',
            },
          },
        }}
        initial={{ event: 'data_updated' }}
        submit="Trigger"
        run={async ({ event, payload }) => {
          const owner = organization.value;
          const raised = await control.trigger(
            event as TriggerEvent,
            (payload ?? {}) as object,
            owner === undefined ? {} : { organization: owner },
          );
          return `${raised.length} deliveries queued.`;
        }}
      />
    </article>
  );
}

function Faults() {
  const { value = [] } = useLive('faults', () => control.faults.list());
  return (
    <article>
      <header>
        <h2>Faults</h2>
        <p>They strike calls and deliveries until they are used up or removed.</p>
      </header>
      {value.length === 0 && <p class="empty">None.</p>}
      {value.map((fault) => (
        <div key={fault.id}>
          <p>
            <strong>{fault.operation ?? fault.delivery}</strong>{' '}
            <code>{JSON.stringify(fault.effect)}</code>{' '}
            {fault.times === undefined ? 'always' : `${fault.times} more times`}
            {fault.probability !== undefined && `, probability ${fault.probability}`}
          </p>
          <Actions
            actions={[
              {
                name: 'Remove',
                async run() {
                  await control.faults.remove(fault.id);
                  changed();
                },
              },
            ]}
          />
        </div>
      ))}
    </article>
  );
}

const ANY = 'every';

/** Effects that are more than on or off, with what their number means. */
const NUMBERS: Readonly<Record<string, string>> = {
  status: 'Status of the response, 200 to 599',
  delay: 'Milliseconds',
  truncate: 'Bytes of the body that are sent',
  cutStream: 'Events that are sent before',
  duplicate: 'Further copies',
  staleTimestamp: 'Seconds by which it is too old',
};

/** The fields depend on what the fault is to strike. */
function faultSchema({ strikes, effect }: Draft): Schema {
  const kind = strikes === 'a delivery' ? 'delivery' : 'operation';
  const names = kind === 'delivery' ? [...systemEvents, ...callbackEvents] : OPERATION_IDS;
  const number = NUMBERS[String(effect)];
  return {
    required: ['strikes', 'name', 'effect', 'number'],
    properties: {
      strikes: { enum: ['an operation', 'a delivery'] },
      name: { enum: [ANY, ...names], title: kind === 'delivery' ? 'Event' : 'Operation' },
      effect: { enum: faultEffects[kind] },
      ...(number && { number: { type: 'number', minimum: 0, title: number } }),
      ...(effect === 'status' && {
        retryAfter: { type: 'integer', minimum: 0, title: 'Retry-After, in seconds' },
      }),
      times: { type: 'integer', minimum: 1, description: 'Always, if empty.' },
      probability: { type: 'number', minimum: 0, maximum: 1 },
    },
  };
}

function AddFault() {
  return (
    <article>
      <header>
        <h2>Add a fault</h2>
      </header>
      <Form
        schema={faultSchema}
        initial={{
          strikes: 'an operation',
          name: 'generateContent',
          effect: 'status',
          number: '503',
          times: '1',
        }}
        submit="Add the fault"
        run={async (values) => {
          await control.faults.add(faultOf(values));
          changed();
          return 'Added.';
        }}
      />
    </article>
  );
}

type FaultOptions = Parameters<typeof control.faults.add>[0];

function faultOf({
  strikes,
  name,
  effect,
  number,
  retryAfter,
  times,
  probability,
}: Values): FaultOptions {
  const kind = strikes === 'a delivery' ? 'delivery' : 'operation';
  const setting = effect === 'cutStream' ? { after: number } : (number ?? true);
  const owner = organization.value;
  const fault = {
    [kind]: name === ANY ? '*' : name,
    effect: {
      [String(effect)]: setting,
      ...(retryAfter !== undefined && { retryAfter }),
    },
    ...(times !== undefined && { times }),
    ...(probability !== undefined && { probability }),
    ...(owner !== undefined && { organization: owner }),
  };
  // The server checks it, and says what is wrong.
  return fault as unknown as FaultOptions;
}

type Snapshot = Awaited<ReturnType<typeof control.snapshot>>;

function State() {
  return (
    <article>
      <header>
        <h2>State</h2>
        <p>All records, logs and the clock’s time.</p>
      </header>
      <Actions
        actions={[
          {
            name: 'Save',
            async run() {
              download('contentgen-state.json', JSON.stringify(await control.snapshot()));
              return 'Saved as contentgen-state.json.';
            },
          },
          {
            name: 'Reset',
            confirm: 'Reset the server to the state just after its start?',
            run: () => control.reset(),
          },
        ]}
      />
      <Restore />
    </article>
  );
}

/** Replaces the state by that of a saved file. */
function Restore() {
  const [error, setError] = useState<unknown>();
  const restore = async (file: File | undefined) => {
    try {
      if (file) await control.restore(JSON.parse(await file.text()) as Snapshot);
      setError(undefined);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <>
      <label>
        Restore from a file
        <input
          type="file"
          accept="application/json,.json"
          onChange={({ currentTarget }) => void restore(currentTarget.files?.[0])}
        />
      </label>
      <Problem error={error} />
    </>
  );
}
