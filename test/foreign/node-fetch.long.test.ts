import type { Fetch } from 'contentgen';
import nodeFetch from 'node-fetch';
import { describe, expect, test, vi } from 'vitest';
import { clientOf, foreignFetch, listen } from '../client/support/foreign-fetch.ts';

const fetch = nodeFetch as unknown as Fetch;

describe('node-fetch', () => foreignFetch(fetch));

test('a stream that node-fetch cannot read is closed, and the error says what can stream', async () => {
  const service = await listen((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
  });
  const client = clientOf(service.url, { fetch });
  const final = client.content.stream({ prompt: 'p' }).final();
  await expect(final).rejects.toThrow(/cannot stream\. Pass one that can/);
  await vi.waitFor(() => expect(service.closed).toBe(1));
});

test('a call that was aborted closes the connection of node-fetch', async () => {
  const service = await listen((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  });
  const controller = new AbortController();
  const client = clientOf(service.url, { fetch });
  const call = client.usage.get({ signal: controller.signal }).safe();
  await vi.waitFor(() => expect(service.seen).toHaveLength(1));
  controller.abort();
  expect((await call).error).toMatchObject({ code: 'aborted' });
  await vi.waitFor(() => expect(service.closed).toBe(1));
});
