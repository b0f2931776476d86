import { expect, test } from 'vitest';
import { createMockServer } from '../../mock-server/index.ts';
import { type OperationId, operations } from '../../src/generated/operations.ts';
import { assertContract } from '../support/contract.ts';
import { exampleSnapshot } from '../support/example-snapshot.ts';
import { contract, resolve } from './document.ts';

/** The request that an API tool builds from an operation's first examples. */
function exampleRequest(baseUrl: string, adminKey: string, id: OperationId): Request {
  const { method, path } = operations[id];
  const operation = contract.paths[path]?.[method.toLowerCase()];
  const url = new URL(baseUrl + path);
  const headers = new Headers({ 'X-API-Key': adminKey });
  for (const { name, in: place, example } of (operation?.parameters ?? []).map(resolve)) {
    if (example === undefined) continue;
    if (place === 'header') headers.set(name, example);
    if (place === 'query') url.searchParams.set(name, example);
    if (place === 'path') url.pathname = url.pathname.replace(`%7B${name}%7D`, example);
  }
  const [first] = Object.values(
    operation?.requestBody?.content?.['application/json']?.examples ?? {},
  );
  if (!first) return new Request(url, { method, headers });
  headers.set('Content-Type', 'application/json');
  return new Request(url, { method, headers, body: JSON.stringify(resolve(first).value) });
}

async function createServer() {
  const { snapshot, adminKey } = await exampleSnapshot();
  const mock = createMockServer({ clock: 'manual' });
  mock.restore(snapshot);
  return { mock, adminKey };
}

const ids = Object.keys(operations) as OperationId[];

test.each([
  ['in the order of the contract', ids],
  ['in reverse', ids.toReversed()],
] as const)('every operation succeeds with its own examples, %s', async (_, order) => {
  const { mock, adminKey } = await createServer();
  for (const id of order) {
    const request = exampleRequest(mock.baseUrl, adminKey, id);
    const response = await mock.fetch(request.clone());
    await assertContract(request, response);
    expect([id, response.status < 300]).toEqual([id, true]);
  }
});

test('every record that an example names exists, whatever field names it', async () => {
  const { snapshot } = await exampleSnapshot();
  const named = new Set(JSON.stringify(contract).match(/\b(?:gen|key|wh|dlv)_01[0-9a-z]{24}\b/g));
  const rows = ['generations', 'apiKeys', 'webhooks', 'deliveries'].flatMap(
    (table) => (snapshot.state[table] ?? []) as readonly { id: string }[],
  );
  const existing = new Set(rows.map(({ id }) => id));
  expect(named.size).toBeGreaterThan(8);
  expect([...named].filter((id) => !existing.has(id))).toEqual([]);
});
