import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, onTestFinished, test, vi } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { controlSite } from '../../../mock-server/control-api/app.ts';
import type { MockServer } from '../../../mock-server/index.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { served } from './served.ts';

async function open() {
  const on = await served();
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  return { ...on, abort, connect: () => fetch(`${on.control}/stream`, { signal: abort.signal }) };
}

/** Reads until the stream ends. */
async function* read(response: Response) {
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  for await (const chunk of response.body as ReadableStream<Uint8Array<ArrayBuffer>>) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const { event, data } of events.splice(0)) yield { event, data: JSON.parse(data) };
  }
}

test('a stream says hello with the time, then sends events, deliveries and requests as they are listed, without secrets', async () => {
  const { mock, connect } = await open();
  const stream = read(await connect());
  const hello = { event: 'hello', data: { now: '2026-01-01T00:00:00.000Z' } };
  expect((await stream.next()).value).toEqual(hello);
  const before = mock.events().length;
  mock.receivers.set('https://app.example/cb', () => new Response());
  const webhookUrl = 'https://app.example/cb?token=hush';
  const [delivery] = mock.trigger('generation_completed', { webhookUrl });
  await mock.fetch(`${mock.baseUrl}/api/usage?token=hush`);
  const heard = new Map<string, unknown[]>();
  while (!heard.has('request')) {
    const { event = '', data } = (await stream.next()).value ?? {};
    heard.set(event, [...(heard.get(event) ?? []), data]);
  }
  expect(heard.get('event')).toEqual(mock.events().slice(before));
  expect(heard.get('delivery')).toEqual([delivery]);
  expect(heard.get('request')).toEqual(mock.requests());
  expect(JSON.stringify([heard.get('event'), heard.get('request')])).not.toContain('hush');
});

test.each(['reset', 'restore'])(
  'after a %s, streams end, and the page connects again',
  async (call) => {
    const { mock, control, connect } = await open();
    const stream = read(await connect());
    await stream.next();
    const args = call === 'reset' ? [] : [mock.snapshot()];
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ call, args });
    expect((await fetch(`${control}/call`, { method: 'POST', headers, body })).status).toBe(200);
    expect((await stream.next()).done).toBe(true);
    expect((await read(await connect()).next()).value?.event).toBe('hello');
  },
);

test('a ping every 15 seconds, which an EventSource can hear, says that the stream is alive', async () => {
  fakePlatform({ toFake: ['setInterval', 'clearInterval'] });
  const { connect } = await open();
  const stream = read(await connect());
  await stream.next();
  for (let times = 0; times < 3; times += 1) {
    vi.advanceTimersByTime(15_000);
    expect((await stream.next()).value).toEqual({ event: 'ping', data: {} });
  }
});

/** How many listen to the events of a mock. */
function countListeners(mock: MockServer): () => number {
  let listeners = 0;
  const internals = internalsOf(mock);
  const { onEvent } = internals;
  internals.onEvent = (listener) => {
    const stop = onEvent(listener);
    listeners += 1;
    return () => {
      listeners -= 1;
      stop();
    };
  };
  return () => listeners;
}

test('a stream whose reader disconnected is cleaned up', async () => {
  const { mock, connect, abort } = await open();
  const listeners = countListeners(mock);
  const stream = read(await connect());
  await stream.next();
  expect(listeners()).toBe(1);
  abort.abort();
  await expect(stream.next()).rejects.toThrow();
  await expect.poll(listeners).toBe(0);
});

test('a reader that does not read is disconnected at 2 MiB; what waits for it still arrives', async () => {
  const { mock } = await open();
  const listeners = countListeners(mock);
  const site = controlSite(mock);
  const response = await site.handle(new Request('http://localhost/_control/stream'));
  const headers = { 'x-api-key': mock.memberKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ prompt: 'x'.repeat(1024 * 1024 - 100) });
  for (let sent = 0; sent < 6; sent += 1) {
    await mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, { method: 'POST', headers, body });
  }
  expect(listeners()).toBe(0);
  const text = await response?.text();
  expect(text?.length).toBeGreaterThan(2 * 1024 * 1024);
  expect(text?.length).toBeLessThan(4 * 1024 * 1024);
});
