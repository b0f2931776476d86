import type { DeliveryView } from '../../index.ts';
import type { Action } from '../components/actions.tsx';
import { Block } from '../components/copy.tsx';
import { Badge, duration, Id, Time, type Tone } from '../components/format.tsx';
import type { Step } from '../components/timeline.tsx';
import { clockMode } from '../state/clock.ts';
import { control } from '../state/control.ts';
import type { ListSpec } from './list-spec.ts';

type Attempt = DeliveryView['attempts'][number];

const CAUSES: Readonly<Record<string, string>> = {
  timeout: 'The receiver did not respond in time.',
  refused: 'Nothing is listening at this address.',
  reset: 'The connection was closed before the response was complete.',
  certificate: "The receiver's certificate is not trusted.",
  connection: 'The connection failed.',
  dns: 'The host name could not be resolved.',
  refused_address: 'The address is private or reserved, so nothing was sent.',
  status: 'Every response other than 2xx counts as a failure.',
};

const TONES: Readonly<Record<DeliveryView['status'], Tone>> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'warn',
  canceled: 'plain',
};

/** The receiver's status, or what kept it from responding. */
const codeOf = ({ status, error }: Attempt): string =>
  status === undefined ? String(error).replaceAll('_', ' ') : String(status);

function State({ status, attempts, attemptsBefore = 0 }: DeliveryView) {
  const last = attempts.at(-1);
  const retrying = status === 'pending' && attempts.length > attemptsBefore;
  const name = retrying ? 'retrying' : status;
  return <Badge tone={TONES[status]}>{last ? `${name} · ${codeOf(last)}` : name}</Badge>;
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
    ? [{ at: nextAttemptAt, tone: 'warn', title: 'next attempt', ahead: true }]
    : [];
  return [{ at: createdAt, tone: 'plain', title: event }, ...steps, ...next];
}

function AttemptDetail({ attempt }: { attempt: Attempt }) {
  const { error, reason, response, headers, requestHeaders, copies, durationMs } = attempt;
  return (
    <>
      <p>
        {error !== undefined && `${reason ?? CAUSES[error] ?? error} `}
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

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A command for a POSIX shell that repeats the latest attempt: the same bytes and the same signature. */
function curlOf({ url, body, attempts }: DeliveryView): string {
  const { requestHeaders = {}, tokenHeader } = attempts.at(-1) ?? {};
  const headers = Object.entries({ 'content-type': 'application/json', ...requestHeaders });
  const lines = headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  if (tokenHeader) lines.push(`-H "${tokenHeader}: $CONTENTGEN_WEBHOOK_TOKEN"`);
  // Unlike -d, --data-raw does not read a file if the body begins with @.
  return [`curl -i ${quote(url)}`, ...lines, `--data-raw ${quote(body)}`].join(' \\\n  ');
}

/** A manual clock sends nothing by itself. */
async function runDue(): Promise<void> {
  if (clockMode.peek() === 'manual') await control.settle();
}

function actionsOf(row: DeliveryView): Action[] {
  const { id, messageId, status, body } = row;
  const again: Action = {
    name: status === 'pending' ? 'Send now' : 'Redeliver',
    async run() {
      await control.redeliver(id);
      await runDue();
    },
  };
  const edit: Action = {
    name: 'Edit and resend',
    schema: {
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
    },
    initial: { body },
    async run({ body, keepMessageId }) {
      const headers = keepMessageId ? { headers: { 'webhook-id': messageId } } : {};
      await control.redeliver(id, { body: String(body ?? ''), ...headers });
      await runDue();
    },
  };
  return [again, edit];
}

export const deliveries: ListSpec<'deliveries'> = {
  name: 'deliveries',
  title: 'Deliveries',
  path: 'traffic/deliveries',
  one: 'Delivery',
  id: ({ id }) => id,
  columns: [
    { name: 'Event', cell: ({ event }) => event },
    { name: 'Status', cell: (row) => <State {...row} /> },
    { name: 'To', size: 'wide', cell: ({ url }) => <span class="url">{url}</span> },
    { name: 'Attempts', size: 'narrow', cell: ({ attempts }) => attempts.length },
    { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
  statuses: ['pending', 'retrying', 'delivered', 'failed', 'canceled'],
  empty: 'No deliveries. Create a registration or a generation with a callback on the page Try.',
  facts: (row) => ({
    Status: <State {...row} />,
    To: <span class="url">{row.url}</span>,
    'webhook-id': row.messageId,
    Registration: row.webhookId && <Id id={row.webhookId} />,
    Generation: row.requestId && <Id id={row.requestId} />,
  }),
  timeline: stepsOf,
  actions: actionsOf,
  texts: (row) => ({
    'Body as sent': row.body,
    'As curl': curlOf(row),
  }),
  listActions: (filter) => [
    {
      name: 'Redeliver all failed',
      async run() {
        const { status: _, limit: __, before: ___, id: ____, ...rest } = filter;
        const count = await control.page.redeliver({ ...rest, status: 'failed' });
        await runDue();
        return `${count} deliveries are sent again.`;
      },
    },
  ],
};
