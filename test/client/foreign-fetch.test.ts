import type { Fetch } from 'contentgen';
import { fetch as undiciFetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { clientOf, foreignFetch, json, listen } from './support/foreign-fetch.ts';
import { completed } from './support/service.ts';

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
