import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { mswHandlers } from 'contentgen/mock/msw';
import { nodeFetch } from 'contentgen/node';
import { setupServer } from 'msw/node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFetch } from '../../../mock-server/api/create-fetch.ts';
import { serve } from '../../../mock-server/http/serve.ts';
import type { MockServer } from '../../../mock-server/index.ts';
import { ended, type Fetch, generator, setUp, whole } from '../../client/support/streaming.ts';

const POSITIONS = 200;
/** How many streams are read at the same time. */
const AT_ONCE = 25;
const IDLE_MS = 150;

type Handle = MockServer['handle'];
interface Door {
  readonly fetch: Fetch;
  readonly baseUrl: string;
}
type Break = 'is reset' | 'falls silent';

async function overASocket(mock: MockServer, handle: Handle): Promise<string> {
  const served = await serve(Object.create(mock, { handle: { value: handle } }), {
    port: 0,
    dashboard: false,
  });
  onTestFinished(() => served.close({ graceMs: 0 }));
  return served.url;
}

const doors: Record<string, (mock: MockServer, handle: Handle) => Door | Promise<Door>> = {
  'mock.fetch': ({ baseUrl }, handle) => ({ fetch: createFetch(handle, () => false), baseUrl }),
  MSW({ baseUrl, routes }, handle) {
    // MSW looks through them one by one, for each request.
    const needed = routes.filter(({ path }) => path.startsWith('/api/ai/content/generate'));
    const server = setupServer(...mswHandlers({ baseUrl, routes: needed, handle }));
    server.listen();
    onTestFinished(() => server.close());
    return { fetch: globalThis.fetch, baseUrl };
  },
  'a socket with fetch': async (mock, handle) => ({
    fetch: globalThis.fetch,
    baseUrl: await overASocket(mock, handle),
  }),
  'a socket with nodeFetch': async (mock, handle) => {
    const fetch = nodeFetch({ proxy: false });
    onTestFinished(() => fetch.close());
    return { fetch, baseUrl: await overASocket(mock, handle) };
  },
};
const overSockets = Object.keys(doors).filter((door) => door.includes('socket'));

/** Ends each new generation's first stream after as many bytes as its idempotency key says. */
function cutting(mock: MockServer, how: Break): Handle {
  const cut = new Set<string>();
  return (request, make = (body, init) => new Response(body as BodyInit, init)) => {
    const key = request.headers.get('idempotency-key') ?? '';
    const isFirst = request.method === 'POST' && !cut.has(key);
    cut.add(key);
    return mock.handle(request, (body, init) => {
      const isCut = isFirst && body instanceof ReadableStream;
      return make(isCut ? endingAfter(Number(key), body, how) : body, init);
    });
  };
}

function endingAfter(limit: number, body: ReadableStream<Uint8Array>, how: Break) {
  const reader = body.getReader();
  let left = limit;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left > 0) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          controller.enqueue(value.subarray(0, left));
          left -= value.length;
          return;
        }
        void reader.cancel();
        if (how === 'falls silent') return new Promise(() => {});
        // Bytes and break would otherwise arrive as one, and fetch would drop the bytes.
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.error(new TypeError('The connection broke.'));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

interface Event {
  readonly id: number;
  readonly name: string;
  readonly data: { readonly delta?: string; readonly result?: string };
}
const parse = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => {
      const [, id, name = '', data = ''] =
        /^id: (\d+)\nevent: generation\.(\w+)\ndata: (.+)$/.exec(event) ?? [];
      return { id: Number(id), name, data: JSON.parse(data) };
    });

/** Every boundary between two events, the middle of every event, the end event's lines, and evenly between them. */
async function positions(): Promise<number[]> {
  const { client } = setUp();
  const stream = client.content.stream({ prompt: 'p' });
  const bytes = Buffer.from(await new Response(stream.toReadableStream()).arrayBuffer());
  const chosen = new Set([0]);
  let start = 0;
  for (let end = bytes.indexOf('\n\n'); end > 0; end = bytes.indexOf('\n\n', start)) {
    chosen
      .add((start + end) >> 1)
      .add(end + 1)
      .add(end + 2);
    const firstLine = bytes.indexOf('\n', start) + 1;
    if (end + 2 === bytes.length) chosen.add(firstLine).add(bytes.indexOf('\n', firstLine) + 1);
    start = end + 2;
  }
  chosen.delete(bytes.length);
  const left = POSITIONS - chosen.size;
  for (let n = 1; chosen.size < POSITIONS; n += 1) {
    chosen.add(Math.floor((n * 0.618_033_988_75 * bytes.length) % bytes.length));
  }
  expect(left).toBeGreaterThan(0);
  return [...chosen].sort((a, b) => a - b);
}

/** Reads a stream with each cut, at one in `share` of the positions. In process nothing falls silent. */
export function cutEverywhere(how: Break, share: number): void {
  const names = how === 'is reset' ? Object.keys(doors) : overSockets;
  describe.each(names)(`over %s, a stream that ${how}`, (door) => {
    test(`at any of ${POSITIONS} positions arrives whole, each event once, billed once`, async () => {
      const random = vi.spyOn(Math, 'random').mockReturnValue(0); // Retries then wait no time.
      onTestFinished(() => random.mockRestore());
      const cuts = (await positions()).filter((_, index) => index % share === 0);
      const mock = createMockServer({ generator });
      onTestFinished(() => mock.close());
      const retried = new Set<string | undefined>();
      const client = new ContentGen({
        ...(await doors[door]?.(mock, cutting(mock, how))),
        apiKey: mock.adminKey,
        pacing: false,
        logLevel: 'off',
        maxRetries: 5,
        ...(how === 'falls silent' && { idleTimeout: IDLE_MS }),
        onRetry: ({ idempotencyKey }) => retried.add(idempotencyKey),
      });
      const readCut = async (cut: number) => {
        const stream = client.content.stream({ prompt: 'p' }, { idempotencyKey: `${cut}` });
        const events = parse(await new Response(stream.toReadableStream()).text());
        const ids = events.map(({ id }) => id);
        expect(ids, `ids after a cut at ${cut}`).toEqual([...new Set(ids)].sort((a, b) => a - b));
        const text = events.map(({ data }) => data.delta ?? '').join('');
        const ends = events.filter(({ name }) => !/^(started|delta)$/.test(name));
        expect({ cut, text, ends: ends.map(({ data }) => data.result) }).toEqual({
          cut,
          text: whole,
          ends: [whole],
        });
      };
      for (let from = 0; from < cuts.length; from += AT_ONCE)
        await Promise.all(cuts.slice(from, from + AT_ONCE).map(readCut));
      expect(retried.size).toBe(cuts.length);
      expect(ended(mock)).toBe(cuts.length);
      expect(mock.search('generations', { limit: 100 }).data).toHaveLength(
        Math.min(100, cuts.length),
      );
    });
  });
}
