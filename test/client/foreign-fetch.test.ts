import type { ContentGen, Fetch } from 'contentgen';
import { fetch as undiciFetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { clientOf, foreignFetch, json, listen } from './support/foreign-fetch.ts';
import { completed } from './support/service.ts';
import { delta } from './support/sse.ts';

describe("undici's fetch", () => foreignFetch(undiciFetch as unknown as Fetch));

describe('middleware that reads a body', () => {
  test.each([
    ['request', 'request', async (request: Request) => void (await request.text())],
    ['response', 'response', undefined],
  ] as const)('of the %s itself is named, once, and told to clone it', async (_, part, before) => {
    const { url, seen } = await listen(json);
    const client = clientOf(url, {
      maxRetries: 2,
      middleware: [
        async function logBodies(request, next) {
          await before?.(request);
          const response = await next(request);
          if (!before) await response.text();
          return response;
        },
      ],
    });
    const call = client.content.generate({ prompt: 'p' });
    await expect(call).rejects.toThrow(
      new TypeError(
        `middleware[0] (logBodies) read the body of the ${part}. Read ${part}.clone() instead.`,
      ),
    );
    expect(seen.length).toBe(before ? 0 : 1);
  });
});

test("a browser's fetch, which rejects being called as a method, can be passed as it is", async () => {
  let calledOn: unknown = 'nothing';
  const client = clientOf('https://api.example.com', {
    async fetch(this: unknown) {
      calledOn = this;
      return Response.json(completed);
    },
  });
  await client.content.get('gen_1');
  expect(calledOn).toBeUndefined();
});

describe("over sockets, with the platform's fetch", () => {
  test('a lost connection is retried with the same key and bytes', async () => {
    const { url, seen } = await listen((response, attempt) =>
      attempt === 1 ? response.destroy() : json(response),
    );
    const client = clientOf(url, { maxRetries: 1, backoff: { initial: 0 } });
    const { attempts } = await client.content.generate({ prompt: 'p' }).withResponse();
    expect([attempts, ...seen]).toEqual([2, '{"prompt":"p"}', '{"prompt":"p"}']);
  });

  const type = { 'content-type': 'text/event-stream' };
  test.each<[string, (client: ContentGen, abort: AbortController) => Promise<unknown>]>([
    [
      'a call that is aborted',
      (client, abort) => client.content.generate({ prompt: 'p' }, { signal: abort.signal }),
    ],
    [
      'a call that times out',
      (client) => client.content.generate({ prompt: 'p' }, { timeout: 50 }),
    ],
    [
      'a stream that is left',
      async (client) => {
        for await (const _ of client.content.stream({ prompt: 'p' })) throw new Error('enough');
      },
    ],
  ])('%s closes its connection', async (name, call) => {
    const abort = new AbortController();
    const service = await listen((response, attempt) => {
      if (attempt > 1) return void json(response);
      // Before the headers, only the signal can close it.
      if (name.startsWith('a stream')) response.writeHead(200, type).write(delta('a'));
      setImmediate(() => abort.abort());
    });
    await expect(call(clientOf(service.url, {}), abort)).rejects.toThrow();
    await expect.poll(() => service.closed).toBe(1);
  });
});
