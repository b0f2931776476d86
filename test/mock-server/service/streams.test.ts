import type { MockServerOptions } from 'contentgen/mock';
import { expect, test } from 'vitest';
import { GENERATE, generate } from './helpers.ts';
import { contractServer } from './operations/contract-server.ts';

const webhookUrl = 'https://app.example/cb';

interface Event {
  readonly id: number;
  readonly name: string;
  readonly data: { requestId: string; delta?: string; result?: string; status?: string };
}

const words = ['One ', 'two ', '👩‍🚀 ', 'four ', 'five.'];
const whole = words.join('');

/** A server whose model says one word each time that the test lets it. */
function pacedServer(options: MockServerOptions = {}) {
  const waiting: (() => void)[] = [];
  let allowed = 0;
  const server = contractServer({
    generator: async function* (_, { signal }) {
      for (const [index, word] of words.entries()) {
        if (index >= allowed) {
          await new Promise<void>((resolve, reject) => {
            waiting.push(resolve);
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        }
        yield word;
      }
    },
    ...options,
  });
  const say = async (count: number) => {
    for (let said = 0; said < count; said += 1) {
      allowed += 1;
      waiting.shift()?.();
      for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done));
    }
  };
  const { mock } = server;
  const stream = async (headers = {}) =>
    reader(await generate(mock, { prompt: 'Count', stream: true }, { headers }));
  const follow = async (id: string, after?: number) => {
    const headers = {
      ...{ 'x-api-key': mock.adminKey, accept: 'text/event-stream' },
      ...(after !== undefined && { 'last-event-id': `${after}` }),
    };
    return reader(await mock.fetch(`${mock.baseUrl}${GENERATE}/${id}`, { headers }));
  };
  const status = async (id: string) => {
    const { status } = await server.ok<{ status: string }>('GET', `${GENERATE}/${id}`);
    return status;
  };
  /** A stream that has sent its first event, and the id of its generation. */
  const begin = async () => {
    const first = await stream();
    return { first, id: (await first.next())?.data.requestId ?? '' };
  };
  return { ...server, say, stream, begin, follow, status };
}

function reader(response: Response) {
  const bytes = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  let text = '';
  async function next(): Promise<Event | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const [, id, name = '', data = ''] =
          /^id: (.*)\nevent: generation\.(.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        return { id: Number(id), name, data: JSON.parse(data) };
      }
      const { done, value } = await bytes.read();
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  }
  async function rest(): Promise<Event[]> {
    const events: Event[] = [];
    for (let event = await next(); event; event = await next()) events.push(event);
    return events;
  }
  return { response, next, rest, leave: () => bytes.cancel() };
}

const textOf = (events: readonly Event[]) => events.map(({ data }) => data.delta ?? '').join('');

test('the first event names the generation before the model says anything', async () => {
  const { stream, say } = pacedServer();
  const first = await stream();
  expect(await first.next()).toMatchObject({ id: 1, name: 'started' });
  await say(5);
  const events = await first.rest();
  expect(events.map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7]);
  expect(events.at(-1)).toMatchObject({ name: 'completed', data: { result: whole } });
});

test.each([0, 1, 2, 3, 4, 5, 6])(
  'after event %d, the rest comes without a piece twice, running or ended',
  async (after) => {
    const { begin, follow, say } = pacedServer();
    const { first, id } = await begin();
    await say(3);
    const live = await follow(id, Math.min(after, 4));
    await say(2);
    const all = [{ id: 1, name: 'started', data: { requestId: id } }, ...(await first.rest())];
    const expected = (sent: number) => textOf(all.filter((event) => event.id > sent));
    expect(textOf(await live.rest())).toBe(expected(Math.min(after, 4)));
    const late = await (await follow(id, after)).rest();
    expect(textOf(late)).toBe(expected(after));
    expect(late.filter(({ name }) => name === 'delta').length).toBeLessThanOrEqual(1);
    expect(late.at(-1)).toMatchObject({ name: 'completed' });
    expect(late.at(-1)?.id).toBe(7);
  },
);

test.each(['completed', 'failed', 'canceled'])(
  'after the end event of a %s generation there is nothing, and no number beyond it',
  async (end) => {
    const { ok, begin, follow, say, mock } = pacedServer();
    const held = end === 'failed' ? mock.hold('generateContent') : undefined;
    const { first, id } = await begin();
    await say(2);
    held?.emit('One ');
    held?.emit('two ');
    const beyond = await follow(id, 90);
    if (end === 'completed') await say(3);
    held?.fail();
    if (end === 'canceled') await ok('POST', `${GENERATE}/${id}/cancel`);
    const last = (await first.rest()).at(-1)?.id ?? 0;
    expect((await beyond.rest()).map((event) => [event.id, event.name])).toEqual([[last, end]]);
    const before = await follow(id, last - 1);
    expect((await before.rest()).map((event) => [event.id, event.name])).toEqual([[last, end]]);
    for (const after of [last, last + 1, 999_999]) {
      const { status, headers, body } = (await follow(id, after)).response;
      expect([status, headers.get('content-type'), body]).toEqual([204, null, null]);
    }
  },
);

test('a generation has any number of readers, whoever began it and however it is delivered', async () => {
  const { ok, follow, say, mock } = pacedServer();
  const { requestId } = await ok<{ requestId: string }>('POST', GENERATE, {
    prompt: 'p',
    webhookUrl,
  });
  const readers = await Promise.all(Array.from({ length: 20 }, () => follow(requestId)));
  const settled = mock.settle();
  await say(5);
  for (const { rest } of readers) {
    const events = await rest();
    expect(textOf(events)).toBe(whole);
    expect(events.at(-1)).toMatchObject({ name: 'completed' });
  }
  await settled;
});

test('without a reader, a streamed generation continues for a minute, then it is canceled', async () => {
  const { mock, begin, follow, status } = pacedServer({ patience: 1 });
  const { first, id } = await begin();
  await first.leave();
  await mock.clock.advance(59_999);
  expect(await status(id)).toBe('processing');
  const second = await follow(id, 1);
  await mock.clock.advance('1 hour');
  expect(await status(id)).toBe('processing');
  await second.leave();
  await mock.clock.advance('1 minute');
  expect(await status(id)).toBe('canceled');
  expect(() => pacedServer({ streamGrace: 'soon' as never })).toThrow('streamGrace must be');
});

test('the same call under the same key follows the running generation, after Last-Event-ID', async () => {
  const { mock, call, stream, say } = pacedServer();
  const key = { 'idempotency-key': 'once' };
  const first = await stream(key);
  await first.next();
  await say(2);
  expect((await first.next())?.id).toBe(2);
  await first.leave();
  const second = await stream({ ...key, 'last-event-id': '2' });
  expect(second.response.headers.get('idempotency-replayed')).toBe('true');
  const other = await call('POST', GENERATE, { prompt: 'Other', stream: true }, { headers: key });
  expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' });
  await say(3);
  expect(textOf(await second.rest())).toBe(words.slice(1).join(''));
  const late = await (await stream(key)).rest();
  expect(late.map(({ name }) => name)).toEqual(['started', 'delta', 'completed']);
  expect(textOf(late)).toBe(whole);
  expect(mock.events().filter(({ type }) => type === 'generation.completed')).toHaveLength(1);
});
