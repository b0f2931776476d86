import * as contentgen from 'contentgen';
import { describe, expect, test, vi } from 'vitest';
import { clientOf, completed, scriptedService } from './support/service.ts';

describe('cache', () => {
  const cacheOf = async () => {
    const caches: unknown[] = [];
    const { client } = clientOf(scriptedService(), {
      fetch: async (_, init) => {
        caches.push(init?.cache);
        return Response.json(completed);
      },
    });
    await client.content.get('gen_1');
    const passing = client.withOptions({ middleware: [(request, next) => next(request)] });
    await passing.content.get('gen_1');
    return caches;
  };

  test('no response is taken from a cache, as Next.js 14 would', async () => {
    vi.stubGlobal('AbortController', class extends AbortController {});
    expect(await cacheOf()).toEqual(['no-store', 'no-store']);
  });

  test.each<[string, (init: RequestInit) => void]>([
    [
      'rejects it, as in an older workerd',
      (init) => {
        if (init.cache) throw new Error("The 'cache' field is not implemented.");
      },
    ],
    [
      'ignores it, as in React Native',
      (init) => {
        delete init.cache;
      },
    ],
  ])('is not asked for where Request %s', async (_, change) => {
    vi.stubGlobal('AbortController', class extends AbortController {});
    const Platform = Request;
    class Older extends Platform {
      constructor(url: string | URL | Request, given: RequestInit = {}) {
        const init = { ...given };
        change(init);
        super(url, init);
      }
    }
    vi.stubGlobal('Request', Older);
    expect(await cacheOf()).toEqual([undefined, undefined]);
  });
});

test('where signals lack throwIfAborted, as in React Native, a job is waited for and its wait aborted', async () => {
  const { throwIfAborted } = AbortSignal.prototype;
  const service = scriptedService();
  service.script({ json: completed });
  const { client } = clientOf(service);
  try {
    AbortSignal.prototype.throwIfAborted = undefined as never;
    const job = client.content.resume('gen_1');
    expect((await job.wait()).status).toBe('completed');
    await expect(job.wait({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(service.seen).toHaveLength(1);
  } finally {
    AbortSignal.prototype.throwIfAborted = throwIfAborted;
  }
});

test('where URL has no parts, as in React Native, a lost connection is retried and names the host', async () => {
  class BareUrl {
    readonly href: string;
    constructor(url: string) {
      this.href = `${url}/`;
    }
    get host(): string {
      throw new Error('URL.host is not implemented');
    }
  }
  vi.stubGlobal('URL', BareUrl);
  let attempts = 0;
  const client = new contentgen.ContentGen({
    baseUrl: 'https://api.example.com:8443/v2',
    apiKey: 'cg_test_key',
    maxRetries: 1,
    fetch: async () => {
      attempts += 1;
      throw new TypeError('Network request failed');
    },
  });
  const { error } = await client.usage.get().safe();
  expect(error).toMatchObject({ code: 'connection_failed', name: 'ConnectionError' });
  expect(error?.message).toContain('api.example.com:8443');
  expect(attempts).toBe(2);
});
