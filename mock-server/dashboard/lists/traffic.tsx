import type { EventView, RequestView } from '../../index.ts';
import { Badge, duration, Id, Time, type Tone } from '../components/format.tsx';
import { deliveries } from './deliveries.tsx';
import type { ListSpec } from './list-spec.ts';

function toneOf({ status }: RequestView): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
}

/** The status and, of a problem, its code. */
function Outcome(row: RequestView) {
  const code = row.problem?.['code'];
  return <Badge tone={toneOf(row)}>{code ? `${row.status} ${code}` : row.status}</Badge>;
}

export const requests: ListSpec<'requests'> = {
  name: 'requests',
  title: 'Requests',
  path: 'traffic/requests',
  one: 'Request',
  id: ({ id }) => id,
  columns: [
    { name: 'Operation', cell: ({ operation, method }) => operation ?? method },
    { name: 'Status', cell: (row) => <Outcome {...row} /> },
    {
      name: 'Path',
      size: 'wide',
      cell: ({ method, path }) => (
        <span class="url">
          {method} {path}
        </span>
      ),
    },
    { name: 'Took', size: 'narrow', cell: ({ durationMs }) => duration(durationMs) },
    { name: 'At', cell: ({ at }) => <Time at={at} /> },
  ],
  statuses: ['problem', '2xx', '4xx', '5xx'],
  empty: 'No requests. Point your application at the base URL on the page Overview.',
  facts: (row) => ({
    Status: <Outcome {...row} />,
    Request: <span class="url">{`${row.method} ${row.path}`}</span>,
    'X-Request-Id': row.requestId,
    Caller: row.actor ? <Id id={row.actor} /> : 'not authenticated',
    At: <Time at={row.at} />,
    Took: duration(row.durationMs),
    Fault: row.fault,
    Why: row.problem && String(row.problem['detail'] ?? ''),
  }),
  texts: ({ body, problem }) => ({
    Body: body,
    Problem: problem,
  }),
};

function eventTone({ type }: EventView): Tone {
  if (/\.(failed|payment_failed|revoked|disabled)$/.test(type)) return 'bad';
  return /\.(completed|delivered|paid)$/.test(type) ? 'good' : 'plain';
}

const events: ListSpec<'events'> = {
  name: 'events',
  title: 'Events',
  path: 'traffic/events',
  one: 'Event',
  id: ({ id }) => id,
  columns: [
    { name: 'Event', cell: (row) => <Badge tone={eventTone(row)}>{row.type}</Badge> },
    { name: 'About', size: 'wide', cell: ({ subject }) => <code>{subject}</code> },
    { name: 'At', cell: ({ at }) => <Time at={at} /> },
  ],
  statuses: [],
  empty: 'Nothing has happened yet.',
  facts: (row) => ({
    Event: row.type,
    About: row.subject && <Id id={row.subject} />,
    At: <Time at={row.at} />,
  }),
};

export const traffic = [requests, deliveries, events] as const;
