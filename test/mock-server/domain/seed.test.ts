import { expect, test } from 'vitest';
import type { StoreSnapshot } from '../../../mock-server/domain/ports.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';

const STARTS = 20;

/** Keys, ids without their times, texts and times of a server on the real clock, each call in another millisecond or not. */
async function run(turn: number) {
  const mock = createMockServer({ seed: 7, processingTime: { min: 1, max: 3 } });
  // Some starts spread their calls over milliseconds, some do not.
  const wait = () =>
    turn % 2 === 0 ? new Promise((resolve) => setTimeout(resolve, 2)) : undefined;
  const client = new ContentGen(mock.adminOptions);
  await wait();
  const { key } = await client.apiKeys.create({ name: 'ci' });
  const ids: string[] = [];
  const texts: unknown[] = [];
  for (const prompt of ['A haiku about TCP', 'A story']) {
    await wait();
    const { requestId, result } = await client.content.generate({ prompt });
    ids.push(requestId.slice(-16));
    texts.push(result);
  }
  const other = mock.createOrganization();
  await mock.close();
  const keys = [mock.adminKey, mock.memberKey, key, other.adminKey, other.memberKey];
  return JSON.stringify([keys, mock.signingSecret, ids, texts, await processingTimes(wait)]);
}

/** How long generations in the background take, in ms, as their jobs are scheduled. */
async function processingTimes(wait: () => unknown) {
  const mock = createMockServer({ seed: 7, processingTime: { min: 60_000, max: 600_000 } });
  const client = new ContentGen(mock.clientOptions);
  for (const prompt of ['Later', 'Last']) {
    await wait();
    await client.content.start({ prompt, webhookUrl: 'https://app.example/callbacks' });
  }
  const { generations = [], jobs = [] } = mock.snapshot().state as StoreSnapshot;
  await mock.close();
  return generations.map(({ id, createdAt }) => {
    const at = jobs.find(({ ref }) => ref === id)?.at ?? Number.NaN;
    return at - createdAt;
  });
}

test('a seed makes the same keys, texts, processing times and random parts of ids on the real clock, start after start', async () => {
  const runs = await Promise.all(Array.from({ length: STARTS }, (_, turn) => run(turn)));
  expect(new Set(runs).size).toBe(1);
});

test('a start on a day that does not exist is refused', () => {
  expect(() => createMockServer({ clock: 'manual', start: '2026-02-30' })).toThrow('start');
  expect(() => createMockServer({ clock: 'manual', start: '2026-02-28' })).not.toThrow();
});
