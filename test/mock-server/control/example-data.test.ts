import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMockServer } from '../../../mock-server/index.ts';
import { exampleIds } from '../../../src/generated/examples.ts';
import { type OperationId, operations } from '../../../src/generated/operations.ts';
import { assertContract } from '../../support/contract.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string;
}

interface Operation {
  readonly parameters?: readonly (Parameter & { readonly $ref?: string })[];
  readonly requestBody?: {
    readonly content: Record<string, { examples: Record<string, { $ref: string }> }>;
  };
}

const document = parse(readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8')) as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly parameters: Record<string, Parameter>;
    readonly examples: Record<string, { readonly value: unknown }>;
  };
};

const resolve = ({ $ref, ...inline }: Parameter & { $ref?: string }): Parameter =>
  $ref ? (document.components.parameters[$ref.split('/').at(-1) ?? ''] as Parameter) : inline;

/** The request that an API tool builds from an operation's first examples. */
function exampleRequest(baseUrl: string, adminKey: string, id: OperationId): Request {
  const { method, path } = operations[id];
  const operation = document.paths[path]?.[method.toLowerCase()] as Operation;
  const url = new URL(baseUrl + path);
  const headers = new Headers({ 'X-API-Key': adminKey });
  for (const { name, in: place, example } of (operation.parameters ?? []).map(resolve)) {
    if (example === undefined) continue;
    if (place === 'header') headers.set(name, example);
    if (place === 'query') url.searchParams.set(name, example);
    if (place === 'path') url.pathname = url.pathname.replace(`%7B${name}%7D`, example);
  }
  const [first] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  if (!first) return new Request(url, { method, headers });
  const { value } = document.components.examples[first.$ref.split('/').at(-1) ?? ''] ?? {};
  headers.set('Content-Type', 'application/json');
  return new Request(url, { method, headers, body: JSON.stringify(value) });
}

const ids = Object.keys(operations) as OperationId[];

test.each([
  ['in the order of the contract', ids],
  ['in reverse', ids.toReversed()],
] as const)('every operation succeeds with its own examples, %s', async (_, order) => {
  const mock = createMockServer({ examples: true, clock: 'manual' });
  for (const id of order) {
    const request = exampleRequest(mock.baseUrl, mock.adminKey, id);
    const response = await mock.fetch(request.clone());
    await assertContract(request, response);
    expect([id, response.status < 300]).toEqual([id, true]);
  }
});

test('the example cursors of the lists are followed by rows', async () => {
  const mock = createMockServer({ examples: true, clock: 'manual' });
  for (const id of ids.filter((name) => name.startsWith('list'))) {
    const response = await mock.fetch(exampleRequest(mock.baseUrl, mock.adminKey, id));
    const { data } = (await response.json()) as { data: unknown[] };
    expect([id, data.length > 0]).toEqual([id, true]);
  }
});

test('every record that an example names exists, whatever field names it', async () => {
  const mock = createMockServer({ examples: true, clock: 'manual' });
  const named = new Set(JSON.stringify(document).match(/\b(?:gen|key|wh|dlv)_01[0-9a-z]{24}\b/g));
  const { state } = mock.snapshot();
  const rows = ['generations', 'apiKeys', 'webhooks', 'deliveries'].flatMap(
    (table) => (state[table] ?? []) as readonly { id: string }[],
  );
  const existing = new Set(rows.map(({ id }) => id));
  expect(named.size).toBeGreaterThan(8);
  expect([...named].filter((id) => !existing.has(id))).toEqual([]);
});

test('a reset brings the examples back', async () => {
  const mock = createMockServer({ examples: true, clock: 'manual' });
  const deletion = () => exampleRequest(mock.baseUrl, mock.adminKey, 'deleteWebhook');
  expect((await mock.fetch(deletion())).status).toBe(204);
  expect((await mock.fetch(deletion())).status).toBe(404);
  mock.reset();
  expect((await mock.fetch(deletion())).status).toBe(204);
});

test('the examples count only as usage of their own month', async () => {
  const used = async (start: string) => {
    const mock = createMockServer({ examples: true, clock: 'manual', start });
    const response = await mock.fetch(exampleRequest(mock.baseUrl, mock.adminKey, 'getUsage'));
    return ((await response.json()) as { used: number }).used;
  };
  expect(await used('2026-01-20T00:00:00Z')).toBe(27);
  expect(await used('2026-02-20T00:00:00Z')).toBe(0);
});

test('the generation to cancel is still processing a month later', async () => {
  const mock = createMockServer({ examples: true, clock: 'manual' });
  await mock.clock.advance('31 days');
  const response = await mock.fetch(
    exampleRequest(mock.baseUrl, mock.adminKey, 'cancelGeneration'),
  );
  expect(await response.json()).toMatchObject({
    requestId: exampleIds.cancelGeneration,
    status: 'canceled',
  });
});

test('without the option, a new server has none of them', async () => {
  const mock = createMockServer({ clock: 'manual' });
  const response = await mock.fetch(exampleRequest(mock.baseUrl, mock.adminKey, 'getGeneration'));
  expect(response.status).toBe(404);
});
