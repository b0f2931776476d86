import { describe, expect, test, vi } from 'vitest';
import { contentgen } from './support/entry.ts';
import { clientOf, completed, scriptedService } from './support/service.ts';

/** As in jsdom: `AbortController` is not the class that `Request` and `fetch` know. */
class ForeignController {
  readonly signal = Object.assign(new EventTarget(), { aborted: false });
  abort() {
    this.signal.aborted = true;
    this.signal.dispatchEvent(new Event('abort'));
  }
}

describe('where fetch does not accept the signals of AbortController, as in jsdom', () => {
  const setUp = (hangs: boolean) => {
    vi.stubGlobal('AbortController', ForeignController);
    const service = scriptedService();
    const { client } = clientOf(service, {
      maxRetries: 0,
      fetch: async (input, init) => {
        // What the platform's fetch does with a foreign signal.
        new Request(input, init);
        return hangs ? new Promise<Response>(() => {}) : Response.json(completed);
      },
    });
    return client;
  };

  test('calls work, with middleware too', async () => {
    const client = setUp(false);
    expect((await client.content.generate({ prompt: 'p' })).status).toBe('completed');
    const copy = client.withOptions({ middleware: [(request, next) => next(request)] });
    expect((await copy.content.generate({ prompt: 'p' })).status).toBe('completed');
  });

  test('aborts and timeouts still end a call immediately', async () => {
    const client = setUp(true);
    const controller = new AbortController();
    const aborted = client.usage.get({ signal: controller.signal }).safe();
    controller.abort();
    expect((await aborted).error).toMatchObject({ code: 'aborted' });
    const late = await client.usage.get({ timeout: 1 }).safe();
    expect(late.error).toMatchObject({ code: 'attempt_timeout' });
  });
});

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

test('in a server component each poll reaches the service, though fetch keeps what it can', async () => {
  vi.stubGlobal('AbortController', class extends AbortController {});
  const service = scriptedService();
  service.script({ json: { ...completed, status: 'processing' } }, { json: completed });
  const send = service.fetch ?? globalThis.fetch;
  const kept = new Map<string, Promise<Response>>();
  // React keeps every GET without a signal while it renders; Next.js 14 keeps the rest, unless told not to.
  const fetch = async (url: string, init?: RequestInit) => {
    const isKept = init?.method === 'GET' && (!init.signal || init.cache !== 'no-store');
    const response = (isKept && kept.get(url)) || send(url, init);
    kept.set(url, response);
    return (await response).clone();
  };
  const { client } = clientOf(service, { fetch });
  const job = client.content.resume('gen_1');
  const { status } = await job.wait({ pollInterval: { min: 1, max: 1 } });
  expect([status, service.seen.length]).toEqual(['completed', 2]);
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

test('where responses have no body, as in React Native, the error names a fetch that can stream', async () => {
  const service = scriptedService();
  const headers = new Headers({ 'content-type': 'text/event-stream' });
  const response = { ok: true, status: 200, headers, text: async () => '' };
  const { client } = clientOf(service, { fetch: async () => response as never });
  const { error } = await client.content
    .stream({ prompt: 'p' })
    .final()
    .then(
      () => ({ error: undefined }),
      (error: unknown) => ({ error }),
    );
  expect(error).toMatchObject({ code: 'invalid_response', attempts: [{ status: 200 }] });
  expect(String(error)).toMatch(/cannot stream\. Pass one that can, such as that of expo\/fetch/);
});
