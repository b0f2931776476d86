import type { EventView, RequestView } from '../../index.ts';
import { Badge, type Tone } from '../components/format.tsx';
import { deliveries } from './deliveries.tsx';
import type { ListSpec } from './list-spec.ts';

function Outcome({ status, problem }: RequestView) {
  const code = problem?.['code'];
  const tone = status < 400 ? 'good' : status < 500 ? 'warn' : 'bad';
  return <Badge tone={tone}>{code ? `${status} ${code}` : status}</Badge>;
}

export const requests: ListSpec<'requests'> = {
  name: 'requests',
  title: 'Requests',
  path: 'traffic/requests',
  one: 'Request',
  columns: ['operation', 'status', 'path', 'durationMs', 'at'],
  wide: 'path',
  narrow: 'durationMs',
  statuses: ['problem', '2xx', '4xx', '5xx'],
  empty: 'No requests. Point your application at the base URL on the page Overview.',
  facts: ['status', 'path', 'requestId', 'actor', 'at', 'durationMs', 'fault'],
  show: {
    operation: ({ operation, method }) => operation ?? method,
    status: Outcome,
    path: ({ method, path }) => <span class="url">{`${method} ${path}`}</span>,
  },
  texts: ({ body, problem }) => ({ Body: body, Problem: problem }),
};

function toneOf({ type }: EventView): Tone {
  if (/\.(failed|payment_failed|revoked|disabled)$/.test(type)) return 'bad';
  return /\.(completed|delivered|paid)$/.test(type) ? 'good' : 'plain';
}

const events: ListSpec<'events'> = {
  name: 'events',
  title: 'Events',
  path: 'traffic/events',
  one: 'Event',
  columns: ['type', 'subject', 'at'],
  wide: 'subject',
  statuses: [],
  empty: 'Nothing has happened yet.',
  facts: ['type', 'subject', 'at'],
  show: { type: (row) => <Badge tone={toneOf(row)}>{row.type}</Badge> },
};

export const traffic = [requests, deliveries, events] as const;
