import { callbackEvents, systemEvents } from '../../domain/event-names.ts';
import { type Action, Actions } from '../components/actions.tsx';
import { Card } from '../components/card.tsx';
import { Form, type Schema, type Values } from '../components/form.tsx';
import { fullTime } from '../components/format.tsx';
import { clockMode, serverNow, setTime } from '../state/clock.ts';
import { control } from '../state/control.ts';
import { changes } from '../state/live.ts';
import { useLive } from '../state/use-live.ts';

export function TimePage() {
  return (
    <>
      <h1 tabIndex={-1}>Time and faults</h1>
      <div class="pair">
        <Clock />
        <Trigger />
        <Faults />
        <AddFault />
      </div>
    </>
  );
}

/** What the stream does not report: the time, and faults that were added or removed. */
function changed(time?: number): void {
  if (time !== undefined) setTime(time);
  changes.value += 1;
}

type Duration = Parameters<typeof control.clock.advance>[0];

const STEPS: readonly Duration[] = ['1 minute', '1 hour', '1 day', '31 days'];

const clockActions: readonly Action[] = [
  ...STEPS.map((step) => ({
    name: `+ ${step}`,
    run: () => control.clock.advance(step).then(changed),
  })),
  { name: 'Run what is due', run: () => control.settle().then(changed) },
  {
    name: 'Reset',
    confirm: 'Reset the server to the state just after its start?',
    run: () => control.reset(),
  },
];

function Clock() {
  return (
    <Card
      title="Time"
      about={`A ${clockMode.value} clock. Advancing runs everything that falls due, in order.`}
    >
      <p class="clock">
        <time dateTime={new Date(serverNow.value).toISOString()}>{fullTime(serverNow.value)}</time>
      </p>
      <Actions actions={clockActions} />
    </Card>
  );
}

const events = [...systemEvents, ...callbackEvents];

const triggerSchema: Schema = {
  required: ['event'],
  properties: {
    event: { enum: events },
    payload: {
      type: 'object',
      description: 'Fields that differ, as JSON: for instance {"records": 128}.',
    },
  },
};

async function trigger({ event, payload = {} }: Values): Promise<string> {
  const [name, fields] = [event as (typeof events)[number], payload as object];
  const raised = await control.trigger(name, fields);
  return `${raised.length} deliveries queued.`;
}

function Trigger() {
  return (
    <Card
      title="Trigger an event"
      about="It is raised as by the service, and delivered to what is registered for it."
    >
      <Form
        schema={triggerSchema}
        initial={{ event: 'data_updated' }}
        submit="Trigger"
        run={trigger}
      />
    </Card>
  );
}

function Faults() {
  const { value = [] } = useLive('faults', () => control.faults.list());
  return (
    <Card
      title="Faults"
      about="They strike calls and deliveries until they are used up or removed."
    >
      {value.length === 0 && <p class="empty">None.</p>}
      {value.map(({ id, operation, delivery, effect, times, probability }) => (
        <div key={id}>
          <p>
            <strong>{operation ?? `delivery of ${delivery}`}</strong>{' '}
            <code>{JSON.stringify(effect)}</code>{' '}
            {times === undefined ? 'always' : `${times} more times`}
            {probability !== undefined && `, probability ${probability}`}
          </p>
          <Actions
            actions={[
              { name: 'Remove', run: () => control.faults.remove(id).then(() => changed()) },
            ]}
          />
        </div>
      ))}
    </Card>
  );
}

const [ANY_CALL, ANY_DELIVERY] = ['every call', 'every delivery'];

const faultSchema: Schema = {
  required: ['strikes', 'effect'],
  properties: {
    strikes: { enum: [ANY_CALL, ...OPERATION_IDS, ANY_DELIVERY, ...events] },
    effect: {
      type: 'object',
      description: 'One of those that are suggested, or other JSON.',
      suggestions: [
        '{"status":503}',
        '{"status":429,"retryAfter":7}',
        '{"delay":2000}',
        '{"drop":true}',
        '{"loseAnswer":true}',
        '{"truncate":10}',
        '{"cutStream":{"after":2}}',
        '{"stall":true}',
        '{"malformed":true}',
        '{"duplicate":1}',
        '{"reorder":true}',
        '{"badSignature":true}',
        '{"staleTimestamp":600}',
      ],
    },
    times: { type: 'integer', minimum: 1, description: 'Always, if empty.' },
    probability: { type: 'number', minimum: 0, maximum: 1 },
  },
};

type FaultOptions = Parameters<typeof control.faults.add>[0];

/** The server checks the effect, and says what is wrong. */
async function addFault({ strikes, ...values }: Values): Promise<string> {
  const name = String(strikes);
  const isDelivery = name === ANY_DELIVERY || events.some((event) => event === name);
  const target = name === ANY_CALL || name === ANY_DELIVERY ? '*' : name;
  const fault = { [isDelivery ? 'delivery' : 'operation']: target, ...values };
  await control.faults.add(fault as unknown as FaultOptions);
  changed();
  return 'Added.';
}

function AddFault() {
  return (
    <Card title="Add a fault">
      <Form
        schema={faultSchema}
        initial={{ strikes: 'generateContent', effect: '{"status":503}', times: '1' }}
        submit="Add the fault"
        run={addFault}
      />
    </Card>
  );
}
