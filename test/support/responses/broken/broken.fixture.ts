import { expect, test } from 'vitest';
import type { Store, Table } from '../../../../mock-server/domain/ports.ts';
import type { Generation } from '../../../../mock-server/domain/records.ts';
import { createMockServer } from '../../../../mock-server/index.ts';
import { memoryStore } from '../../../../mock-server/stores/memory.ts';

/** Returns every generation with a number as its model. */
function corrupt(store: Store): Store {
  const bad = (row: Generation | undefined) => row && ({ ...row, model: 7 } as never);
  return {
    ...store,
    table(name) {
      const table = store.table(name);
      if (name !== 'generations') return table;
      const generations = table as unknown as Table<Generation>;
      return { ...generations, get: (id: string) => bad(generations.get(id)) } as never;
    },
  };
}

test('passes although the server breaks the contract', async () => {
  const mock = createMockServer({ clock: 'manual', seed: 1, store: corrupt(memoryStore()) });
  const headers = { 'x-api-key': mock.adminKey, 'content-type': 'application/json' };
  const url = `${mock.baseUrl}/api/ai/content/generate`;
  const body = JSON.stringify({ prompt: 'p', webhookUrl: 'https://app.example/cb' });
  const accepted = await mock.fetch(url, { method: 'POST', headers, body });
  const { requestId } = (await accepted.json()) as { requestId: string };
  expect((await mock.fetch(`${url}/${requestId}`, { headers })).status).toBe(200);
});
