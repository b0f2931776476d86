import { internalsOf } from '../../mock-server/composition/internals.ts';
import { createMockServer, type MockServer } from '../../mock-server/index.ts';

const START = Date.UTC(2026, 0, 1);

/** How many rows of each kind. */
export interface Filling {
  readonly generations?: number;
  readonly keys?: number;
  /** Registrations for `usage_threshold`. */
  readonly webhooks?: number;
  /** Of the first registration, finished. */
  readonly deliveries?: number;
}

/** A server with these rows in its first project, at least one of each kind but keys. */
export function fullServer({
  generations = 1,
  keys = 0,
  webhooks = 1,
  deliveries = 1,
}: Filling): MockServer {
  const mock = createMockServer({
    clock: 'manual',
    seed: 1,
    quota: 1e12,
    retention: { count: 1_000_000, bytes: 1e12, lines: 1_000_000 },
  });
  const { organization } = mock;
  const { project } = internalsOf(mock);
  const saved = mock.snapshot();
  const owner = { organization, project };
  const rows = <Row>(count: number, row: (number: number) => Row): Row[] =>
    Array.from({ length: count }, (_, number) => row(number));
  const id = (prefix: string, number: number) =>
    `${prefix}_01kd${String(number).padStart(22, '0')}`;
  mock.restore({
    ...saved,
    state: {
      ...saved.state,
      generations: rows(generations, (number) => ({
        ...owner,
        id: id('gen', number),
        status: number % 10 === 0 ? ('failed' as const) : ('completed' as const),
        delivery: 'response' as const,
        model: 'content-1',
        prompt: 'A haiku about TCP',
        maxTokens: 512,
        result: 'Small letters travel',
        usage: { totalTokens: 10, promptTokens: 5, completionTokens: 5 },
        createdAt: START + number,
        completedAt: START + number,
      })),
      apiKeys: [
        ...rows(keys, (number) => ({
          ...owner,
          id: id('key', number),
          name: 'filler',
          role: 'member' as const,
          hash: String(number).padStart(64, '0'),
          hint: 'cg_test_…0000',
          createdAt: START,
          createdBy: 'system',
        })),
        ...(saved.state.apiKeys ?? []),
      ],
      webhooks: rows(webhooks, (number) => ({
        ...owner,
        id: id('wh', number),
        event: 'usage_threshold' as const,
        url: `https://app.example/${number}`,
        threshold: 0.5 + number / (2 * webhooks),
        status: 'enabled' as const,
        secrets: [{ secret: `whsec_${'A'.repeat(32)}`, createdAt: START }],
        createdAt: START,
        updatedAt: START,
      })),
      deliveries: rows(deliveries, (number) => ({
        ...owner,
        id: id('dlv', number),
        messageId: id('msg', number),
        webhookId: id('wh', 0),
        event: 'usage_threshold' as const,
        url: 'https://app.example/0',
        body: '{"event":"usage_threshold"}',
        status: number % 10 === 0 ? ('failed' as const) : ('delivered' as const),
        createdAt: START + number,
        attempts: [{ at: START + number, status: 200, durationMs: 1 }],
      })),
    },
  });
  return mock;
}

/** Calls one server and reads the complete response. */
export function caller(mock: MockServer) {
  const known = { 'x-api-key': mock.adminKey, 'content-type': 'application/json' };
  return async (method: string, path: string, body?: string, headers = {}): Promise<string> => {
    const response = await mock.fetch(mock.baseUrl + path, {
      method,
      headers: { ...known, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return text;
  };
}
