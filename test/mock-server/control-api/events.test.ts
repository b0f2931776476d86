import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, onTestFinished, test, vi } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { streamEvents } from '../../../mock-server/control-api/stream-events.ts';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { fakePlatform } from '../../support/fake-platform.ts';

async function open() {
  const mock = createMockServer({ clock: 'manual', start: '2026-01-01', seed: 1 });
  const server = await serve(mock, { port: 0 });
  onTestFinished(async () => {
    await server.close({ graceMs: 0 });
    await mock.close();
  });
  return { mock, url: `${server.url}/_control`, close: () => server.close() };
}

/** Reads until `count` events have arrived or the stream ends. */
async function* read(url: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(`${url}/stream`, { headers, signal: abort.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  for await (const chunk of response.body as ReadableStream<Uint8Array<ArrayBuffer>>) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    while (events.length > 0) yield events.shift() as EventSourceMessage;
  }
}

async function next(stream: AsyncGenerator<EventSourceMessage>): Promise<EventSourceMessage> {
  const { value, done } = await stream.next();
  if (done) throw new Error('The stream ended.');
  return value;
}

test('a stream says hello, then sends events as they happen', async () => {
  const { mock, url } = await open();
  const stream = read(url);
  const hello = await next(stream);
  expect(hello.event).toBe('hello');
  expect(JSON.parse(hello.data)).toEqual({
    instance: expect.stringMatching(/^[0-9a-f-]{36}$/),
    now: '2026-01-01T00:00:00.000Z',
  });

  const last = mock.events().at(-1);
  mock.trigger('invoice_paid');
  const event = await next(stream);
  const [logged] = internalsOf(mock).eventsAfter(String(last?.id), 1);
  expect(event).toMatchObject({ id: logged?.id, event: 'event' });
  expect(JSON.parse(event.data)).toEqual(logged);

  await mock.fetch(`${mock.baseUrl}/api/usage`);
  let message = await next(stream);
  while (message.event !== 'request') message = await next(stream);
  expect(JSON.parse(message.data)).toEqual(mock.requests().at(-1));
});

test('a reader that reconnects with the last id misses nothing', async () => {
  const { mock, url } = await open();
  for (let count = 0; count < 4; count += 1) mock.trigger('data_updated', { source: `s${count}` });
  const all = mock.events();
  const [first] = all;
  const stream = read(url, { 'last-event-id': String(first?.id) });
  expect((await next(stream)).event).toBe('hello');
  for (const { id } of all.slice(1)) expect((await next(stream)).id).toBe(id);
});

test.each(['reset', 'restore'])(
  'after a %s, streams end and the next one names another instance',
  async (what) => {
    const { mock, url } = await open();
    const stream = read(url);
    const before = JSON.parse((await next(stream)).data);
    const args = what === 'reset' ? [] : [mock.snapshot()];
    const response = await fetch(`${url}/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ call: what, args }),
    });
    expect(response.status).toBe(200);
    expect((await stream.next()).done).toBe(true);
    const after = JSON.parse((await next(read(url))).data);
    expect(after.instance).not.toBe(before.instance);
  },
);

test('a ping every 15 seconds, which an EventSource can hear, says that the stream is alive', async () => {
  fakePlatform({ toFake: ['setInterval', 'clearInterval'] });
  const { url } = await open();
  const stream = read(url);
  await next(stream);
  for (let times = 0; times < 3; times += 1) {
    vi.advanceTimersByTime(15_000);
    expect(await next(stream)).toMatchObject({ event: 'ping', data: '{}' });
  }
});

test('closing the server ends its streams', async () => {
  const { url, close } = await open();
  const stream = read(url);
  await next(stream);
  const closed = close();
  expect((await stream.next()).done).toBe(true);
  await closed;
});

test('a stream whose reader disconnected is cleaned up', async () => {
  const { mock, url } = await open();
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
  const abort = new AbortController();
  const response = await fetch(`${url}/stream`, { signal: abort.signal });
  await response.body?.getReader().read();
  expect(listeners).toBe(1);
  abort.abort();
  while (listeners > 0) await new Promise(setImmediate);
});

test('a reader that does not read is disconnected at 4 MiB; what waits for it still arrives', async () => {
  let stopped = false;
  let written = 0;
  const response = streamEvents(({ send }) => {
    for (; written < 10_000; written += 1) send({ text: 'x'.repeat(1000) }, {});
    return () => {
      stopped = true;
    };
  });
  expect(stopped).toBe(true);
  const { byteLength } = await response.arrayBuffer();
  expect(byteLength).toBeGreaterThan(4 * 1024 * 1024);
  expect(byteLength).toBeLessThan(4 * 1024 * 1024 + 2000);
});

test('every reader gets the same bytes of an event', async () => {
  const { mock } = await open();
  const readers = [1, 2].map(() => {
    let sent = (_: object) => {};
    const { body } = streamEvents(({ send }) => {
      sent = (event) => send(event, {});
      return () => {};
    });
    return { sent: (event: object) => sent(event), reader: body?.getReader() };
  });
  const [event = {}] = mock.events({ limit: 1 });
  for (const { sent } of readers) sent(event);
  const [first, second] = await Promise.all(readers.map(({ reader }) => reader?.read()));
  expect(first?.value).toBe(second?.value);
});
