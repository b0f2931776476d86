import type { DeliveryView } from '../../index.ts';
import type { Action } from '../components/actions.tsx';
import { Block } from '../components/copy.tsx';
import type { Schema } from '../components/form.tsx';
import { Badge, duration, toneOf } from '../components/format.tsx';
import { clockMode } from '../state/clock.ts';
import { control } from '../state/control.ts';
import type { ListSpec, Step } from './list-spec.ts';

type Attempt = DeliveryView['attempts'][number];

/** The receiver's status, or what kept it from responding. */
const codeOf = ({ status, error }: Attempt): string =>
  status === undefined ? String(error).replaceAll('_', ' ') : String(status);

function State({ status, attempts, attemptsBefore = 0 }: DeliveryView) {
  const last = attempts.at(-1);
  const retrying = status === 'pending' && attempts.length > attemptsBefore;
  const name = retrying ? 'retrying' : status;
  return <Badge tone={toneOf(status)}>{last ? `${name} · ${codeOf(last)}` : name}</Badge>;
}

function stepsOf({ createdAt, event, attempts, nextAttemptAt }: DeliveryView): Step[] {
  const steps = attempts.map(
    (attempt, index): Step => ({
      at: attempt.at,
      tone: attempt.error === undefined ? 'good' : 'bad',
      title: `attempt ${index + 1} · ${codeOf(attempt)}`,
      detail: <AttemptDetail attempt={attempt} />,
    }),
  );
  const next: Step[] = nextAttemptAt
    ? [{ at: nextAttemptAt, tone: 'warn', title: 'next attempt' }]
    : [];
  return [{ at: createdAt, tone: 'plain', title: event }, ...steps, ...next];
}

function AttemptDetail({ attempt }: { attempt: Attempt }) {
  const { error, response, headers, requestHeaders, copies, durationMs } = attempt;
  const cause = error === 'status' ? 'Every response other than 2xx counts as a failure.' : error;
  const { reason = cause } = attempt;
  return (
    <>
      <p>
        {error !== undefined && `${reason} `}
        It took {duration(durationMs)}
        {copies && `, with ${copies.length} further copies`}.
      </p>
      {response && <pre>{response}</pre>}
      {(requestHeaders || headers) && (
        <details>
          <summary>Headers</summary>
          {requestHeaders && <Block title="Sent" value={requestHeaders} />}
          {headers && <Block title="Received" value={headers} />}
        </details>
      )}
    </>
  );
}

/** A manual clock sends nothing by itself. */
async function runDue(): Promise<void> {
  if (clockMode.peek() === 'manual') await control.settle();
}

function actionsOf({ id, messageId, status, body }: DeliveryView): Action[] {
  const send = async (changes?: Parameters<typeof control.redeliver>[1]) => {
    await control.redeliver(id, changes);
    await runDue();
  };
  const edits: Schema = {
    properties: {
      body: {
        type: 'string',
        maxLength: 100_000,
        description: 'The bytes to send. The server signs them.',
      },
      keepMessageId: {
        type: 'boolean',
        title: 'Keep the webhook-id',
        description: 'A receiver then treats it as a repetition.',
      },
    },
  };
  return [
    { name: status === 'pending' ? 'Send now' : 'Redeliver', run: () => send() },
    {
      name: 'Edit and resend',
      schema: edits,
      initial: { body },
      run: ({ body: edited = '', keepMessageId }) =>
        send({
          body: String(edited),
          ...(keepMessageId === true && { headers: { 'webhook-id': messageId } }),
        }),
    },
  ];
}

export const deliveries: ListSpec<'deliveries'> = {
  name: 'deliveries',
  title: 'Deliveries',
  path: 'traffic/deliveries',
  one: 'Delivery',
  columns: ['event', 'status', 'url', 'attempts', 'createdAt'],
  wide: 'url',
  narrow: 'attempts',
  statuses: ['pending', 'retrying', 'delivered', 'failed', 'canceled'],
  empty: 'No deliveries. Create a registration or a generation with a callback on the page Try.',
  facts: ['status', 'url', 'messageId', 'webhookId', 'requestId'],
  show: { status: State, attempts: ({ attempts }) => attempts.length },
  timeline: stepsOf,
  actions: actionsOf,
  texts: ({ body }) => ({ 'Body as sent': body }),
};
