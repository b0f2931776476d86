import type { MockServer } from '../composition/mock-server.ts';
import type { EventView, RequestView } from '../control/logs/logs.ts';
import { createCounter, createHistogram, gauge } from './prometheus.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metrics {
  /** `/metrics`, in Prometheus' text format. */
  respond(): Response;
  /** Stops counting. */
  close(): void;
}

/** Counts what the server does. Labels name operations, statuses and events, never a tenant. */
export function createMetrics(mock: MockServer): Metrics {
  const requests = createCounter('contentgen_requests_total', 'Requests to the API by outcome.', [
    'operation',
    'status',
    'code',
  ]);
  const durations = createHistogram(
    'contentgen_request_duration_seconds',
    'Time from a request to its response, on the clock of the server.',
    ['operation'],
    SECONDS,
  );
  const generations = createCounter(
    'contentgen_generations_total',
    'Generations by state reached.',
    ['state'],
  );
  const deliveries = createCounter('contentgen_deliveries_total', 'Deliveries by state reached.', [
    'state',
  ]);
  const attempts = createCounter('contentgen_delivery_attempts_total', 'Attempts by outcome.', [
    'event',
    'outcome',
  ]);

  const onRequest = ({ operation = 'none', status, problem, durationMs }: RequestView) => {
    requests.add(operation, String(status), String(problem?.['code'] ?? ''));
    durations.observe(durationMs / 1000, operation);
  };
  const onEvent = ({ type, data = {} }: EventView) => {
    const [subject, state = ''] = type.split('.');
    if (subject === 'generation') generations.add(state);
    if (subject !== 'delivery') return;
    const event = String(data['event'] ?? '');
    if (data['attempt'] !== undefined) attempts.add(event, String(data['error'] ?? 'ok'));
    if (state !== 'attempted') deliveries.add(state);
  };
  const stops = [mock.onRequest(onRequest), mock.onEvent(onEvent)];

  return {
    respond() {
      const families = [requests, durations, generations, deliveries, attempts];
      const text = [...families.map((family) => family.text()), ...processGauges()].join('');
      return new Response(text, {
        headers: {
          'content-type': 'text/plain; version=0.0.4; charset=utf-8',
          'cache-control': 'no-store',
        },
      });
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** Under the names that every Prometheus client uses. */
function processGauges(): string[] {
  const { user, system } = process.cpuUsage();
  const startedAt = Date.now() / 1000 - process.uptime();
  return [
    gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'Start, in Unix seconds.', startedAt),
    gauge('process_cpu_seconds_total', 'CPU time spent.', (user + system) / 1e6, 'counter'),
  ];
}
