import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createMockServer,
  type MockServer,
  type SeedData,
  type SeedOrganization,
} from '../../../mock-server/index.ts';
import { contractFetch } from '../../support/contract.ts';

const KEY = 'cg_test_0igR56x10M1njKSmuE0QDp48jU696MyIa0rYV2ctRU43Bo5Q6';
const START = '2026-03-10T12:00:00Z';

const seeded = (seedData: SeedData): MockServer =>
  createMockServer({ seedData, clock: 'manual', start: START, seed: 1 });

async function get(mock: MockServer, path: string, key = mock.adminKey) {
  const response = await contractFetch(mock)(mock.baseUrl + path, {
    headers: { 'X-API-Key': key },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const dataOf = async (mock: MockServer, path: string, key?: string) =>
  (await get(mock, path, key)).body['data'] as Record<string, unknown>[];

describe("the first organization is the server's own", () => {
  const mock = seeded({
    organizations: [
      {
        id: 'acme',
        project: 'shop',
        quota: 5000,
        signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        keys: [{ name: 'ci', role: 'admin', key: KEY }],
      },
    ],
    generations: [{ prompt: 'A haiku', result: 'Packets cross the sea', createdAt: '3 days ago' }],
  });

  test('with its ids, quota and signing secret', async () => {
    expect(mock).toMatchObject({
      organization: 'acme',
      project: 'shop',
      signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    });
    expect((await get(mock, '/api/usage')).body).toMatchObject({
      organization: 'acme',
      quota: 5000,
    });
  });

  test('and a seeded key gives access to it', async () => {
    expect((await get(mock, '/api/usage', KEY)).status).toBe(200);
  });

  test('and records outside the list belong to it', async () => {
    expect(await dataOf(mock, '/api/ai/content/generate')).toMatchObject([
      {
        status: 'completed',
        result: 'Packets cross the sea',
        createdAt: '2026-03-07T12:00:00.000Z',
      },
    ]);
  });
});

test('every record has the fields that the file gives it', async () => {
  const mock = seeded({
    keys: [
      { name: 'old', key: KEY, createdAt: '90 days ago', revokedAt: '2026-02-01T00:00:00Z' },
      { id: 'key_01kdvsz0g0b2h8x1d6v0r9e4ta', expiresAt: '2026-04-01T00:00:00Z' },
    ],
    webhooks: [
      { event: 'usage_threshold', url: 'https://app.example/a', threshold: 0.5 },
      { event: 'invoice_paid', url: 'https://app.example/b', status: 'disabled' },
    ],
    generations: [
      { prompt: 'a', status: 'failed', error: 'No model.' },
      { prompt: 'b', status: 'canceled', metadata: { article: '42' } },
    ],
  });
  expect((await get(mock, '/api/usage', KEY)).body['code']).toBe('revoked_api_key');
  const keys = await dataOf(mock, '/api/auth/api-keys');
  expect(keys.find(({ name }) => name === 'old')).toMatchObject({
    status: 'revoked',
    createdAt: '2025-12-10T12:00:00.000Z',
    revokedAt: '2026-02-01T00:00:00.000Z',
  });
  expect((await get(mock, '/api/auth/api-keys/key_01kdvsz0g0b2h8x1d6v0r9e4ta')).body).toMatchObject(
    { name: 'API key', role: 'member', status: 'active', expiresAt: '2026-04-01T00:00:00.000Z' },
  );
  expect(await dataOf(mock, '/api/webhooks')).toMatchObject([
    { event: 'invoice_paid', status: 'disabled', disabledReason: 'requested' },
    { event: 'usage_threshold', status: 'enabled', threshold: 0.5 },
  ]);
  expect(await dataOf(mock, '/api/ai/content/generate')).toMatchObject([
    { status: 'canceled', metadata: { article: '42' } },
    { status: 'failed', error: { code: 'generation_failed', message: 'No model.' } },
  ]);
});

test('older rows come after newer ones in lists', async () => {
  const mock = seeded({
    generations: [
      { prompt: 'a', result: 'now' },
      { prompt: 'b', result: 'old', createdAt: '20 days ago' },
      { prompt: 'c', result: 'older', createdAt: '30 days ago' },
      { prompt: 'd', result: 'newer', createdAt: '1 hour ago' },
    ],
  });
  const rows = await dataOf(mock, '/api/ai/content/generate');
  expect(rows.map(({ result }) => result)).toEqual(['now', 'newer', 'old', 'older']);
});

test('only generations of the current month count as usage, and are billed at its end', async () => {
  const mock = seeded({
    generations: [
      { prompt: 'A haiku', result: 'Packets cross the sea', createdAt: '3 days ago' },
      { prompt: 'A haiku', result: 'Packets cross the sea', createdAt: '20 days ago' },
    ],
  });
  const { used, requests } = (await get(mock, '/api/usage')).body as Record<string, number>;
  expect([requests, used]).toEqual([1, expect.any(Number)]);
  expect(used).toBeGreaterThan(2);
  await mock.clock.advance('31 days');
  expect(mock.billing.list()).toMatchObject([{ amountDue: 1, status: 'open' }]);
});

test('further organizations are separate', async () => {
  const mock = seeded({
    organizations: [{}, { id: 'globex', quota: 0, keys: [{ key: KEY }] }],
    generations: [{ prompt: 'a', result: 'b' }],
  });
  expect(await dataOf(mock, '/api/ai/content/generate', KEY)).toEqual([]);
  expect((await get(mock, '/api/usage', KEY)).body).toMatchObject({
    organization: 'globex',
    quota: 0,
  });
});

test('a seeded registration gets its deliveries', async () => {
  const mock = seeded({ webhooks: [{ event: 'data_updated', url: 'https://app.example/hooks' }] });
  const received: string[] = [];
  mock.receivers.set('https://app.example/hooks', async (request) => {
    received.push(((await request.json()) as { event: string }).event);
    return new Response();
  });
  mock.trigger('data_updated');
  await mock.settle();
  expect(received).toEqual(['data_updated']);
});

test('a reset brings the data back, a restored snapshot replaces it', async () => {
  const mock = seeded({ webhooks: [{ event: 'data_updated', url: 'https://app.example/hooks' }] });
  const empty = createMockServer({ clock: 'manual' }).snapshot();
  const [{ id } = {}] = await dataOf(mock, '/api/webhooks');
  await mock.fetch(`${mock.baseUrl}/api/webhooks/${id}`, {
    method: 'DELETE',
    headers: { 'X-API-Key': mock.adminKey },
  });
  expect(await dataOf(mock, '/api/webhooks')).toEqual([]);
  mock.reset();
  expect(await dataOf(mock, '/api/webhooks')).toHaveLength(1);
  mock.restore(empty);
  expect((await get(mock, '/api/webhooks')).status).toBe(401);
});

const organization = (seed: unknown) => ({ organizations: [seed as SeedOrganization] });

test.each([
  [[], 'seedData must be a mapping of keys, webhooks, generations, organizations.'],
  [{ users: [] }, 'seedData.users does not exist. The fields are'],
  [{ keys: {} }, 'seedData.keys must be a list; received an object.'],
  [{ keys: [null] }, 'seedData.keys[0] must be a mapping of id, name'],
  [organization({ id: 'a b' }), 'seedData.organizations[0].id must be 1 to 64 letters'],
  [
    organization({ quota: -1 }),
    'seedData.organizations[0].quota must be an integer of 0 or more; received -1.',
  ],
  [
    organization({ keys: [{}, { role: 'root' }] }),
    'seedData.organizations[0].keys[1].role must be one of admin, member; received',
  ],
  [{ keys: [{ key: 'cg_test_1' }] }, 'seedData.keys[0].key must be an API key (cg_test_…) with'],
  [{ keys: [{ id: 'key_1' }] }, 'seedData.keys[0].id must be key_ followed by a ULID'],
  [{ keys: [{ createdAt: 'yesterday' }] }, 'seedData.keys[0].createdAt must be a time such as'],
  [
    { keys: [{ createdAt: '2027-01-01T00:00:00Z' }] },
    'must not be later than the start of the server.',
  ],
  [{ keys: [{ key: KEY }, { key: KEY }] }, 'seedData.keys[1].key is given twice.'],
  [{ webhooks: [{ url: 'https://a.example' }] }, 'seedData.webhooks[0] needs the field event.'],
  [
    { webhooks: [{ event: 'invoice_paid', url: 'http://10.0.0.1/' }] },
    'seedData.webhooks[0].url is not allowed: ',
  ],
  [
    { webhooks: [{ event: 'invoice_paid', url: 'https://a.example', threshold: 0.5 }] },
    'seedData.webhooks[0].threshold is only for the event usage_threshold.',
  ],
  [{ generations: [{ prompt: 'a' }] }, 'seedData.generations[0] has no result.'],
  [{ generations: [{ prompt: 'a', result: 'b', model: 'gpt' }] }, 'must be one of content-1, '],
  [
    { generations: [{ prompt: 'a', result: 'b', metadata: { n: 1 } }] },
    'seedData.generations[0].metadata must be at most 16 pairs of strings, with numbers in quotes; received an object.',
  ],
])('%j is rejected with a sentence', (seedData, sentence) => {
  expect(() => seeded(seedData as SeedData)).toThrow(sentence);
});

test('with any data, the server starts or names the mistake', () => {
  const word = fc.constantFrom(
    ...['organizations', 'keys', 'webhooks', 'generations', 'id', 'key', 'event', 'url', 'prompt'],
    ...['result', 'metadata', 'createdAt', '__proto__', 'constructor', 'toString'],
  );
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom('data_updated', 'https://a.example', '1 day ago', 'x', 1, null, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(word, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(tree, (data) => {
      try {
        expect(seeded(data as SeedData).organization).not.toBe('');
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        expect(error).toMatchObject({ code: 'validation_failed' });
      }
    }),
    { numRuns: 300 },
  );
});
