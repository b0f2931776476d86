import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { generate } from '../service/helpers.ts';
import { killed, open } from './data-file.ts';

const webhookUrl = 'https://app.example/cb';
const prompt = 'A secret plan for the autumn';

/** A server on a file, and a request in each way that takes a prompt. The callback's generation takes a minute. */
async function started(options: MockServerOptions) {
  const path = temporaryFile();
  const store = open(path);
  const mock = createMockServer({ clock: 'manual', processingTime: 60_000, store, ...options });
  for (const fields of [{}, { stream: true }, { webhookUrl }]) {
    const response = await generate(mock, { prompt, ...fields });
    expect(response.ok).toBe(true);
    await response.text();
  }
  await internalsOf(mock).flushed();
  return { path, mock };
}

/** Whether a file, or its write-ahead log, contains the prompt. */
const contains = (path: string) =>
  [path, `${path}-wal`].some((name) => existsSync(name) && readFileSync(name).includes(prompt));

/** The callbacks of a server that starts after a kill. */
async function callbacksAfter(path: string, options: MockServerOptions): Promise<unknown[]> {
  const store = open(killed(path));
  const mock = createMockServer({ clock: 'manual', store, ...options });
  const received: unknown[] = [];
  mock.receivers.set(webhookUrl, async (request) => {
    received.push(await request.json());
    return new Response();
  });
  await mock.clock.advance('1 hour');
  return received;
}

test('without logBodies, no prompt is written to the file, not even until its generation ends; after a restart it fails, and its callback says so', async () => {
  const { path, mock } = await started({ logBodies: false });
  expect(contains(path)).toBe(false);
  expect(JSON.stringify(mock.snapshot())).not.toContain(prompt);
  expect(await callbacksAfter(path, { logBodies: false })).toMatchObject([
    { status: 'failed', error: { code: 'generation_failed' } },
  ]);
  await mock.clock.advance('1 hour');
  await internalsOf(mock).flushed();
  expect(contains(path)).toBe(false);
  expect(mock.events({ status: 'generation.completed' })).toHaveLength(3);
});

test('a stored prompt survives a restart, and is gone from the state when its generation has ended', async () => {
  const { path, mock } = await started({});
  expect(contains(path)).toBe(true);
  expect(await callbacksAfter(path, {})).toMatchObject([{ status: 'completed' }]);
  await mock.clock.advance('1 hour');
  expect(JSON.stringify(mock.snapshot())).not.toContain(prompt);
});
