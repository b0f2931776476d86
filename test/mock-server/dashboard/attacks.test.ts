import type { Page } from '@playwright/test';
import { ContentGen } from 'contentgen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { serve } from '../../support/sockets.ts';
import {
  type BuiltDashboard,
  openBuiltDashboard,
  startServer,
  type TestServer,
} from './harness.ts';

const CALL = '{"call":"createOrganization"}';

/** What a foreign page does, and what it sees of it. */
const attacks: Readonly<Record<string, (page: Page, url: string) => Promise<unknown>>> = {
  'DNS rebinding': async (page, url) => {
    // The name resolves to this machine by now: the browser takes the server for the page's own origin.
    const own = `http://rebound.test:${new URL(url).port}`;
    await page.goto(`${own}/api/usage`);
    return page.evaluate(attempt, { url: own, type: 'application/json', body: CALL });
  },
  'a frame without an origin': (page, url) =>
    page.evaluate(
      (address) =>
        new Promise((resolve) => {
          addEventListener('message', ({ data }) => resolve(data));
          const frame = document.createElement('iframe');
          frame.sandbox.add('allow-scripts');
          frame.srcdoc = `<script>fetch('${address}/_control/call', { method: 'POST', body: '{"call":"createOrganization"}',
            headers: { 'content-type': 'application/json' } }).then((r) => r.text(), () => 'blocked')
            .then((said) => parent.postMessage(said, '*'))</script>`;
          document.body.append(frame);
        }),
      url,
    ),
  'a call after a preflight': (page, url) =>
    page.evaluate(attempt, { url, type: 'application/json', body: CALL }),
  'a simple POST': (page, url) => page.evaluate(attempt, { url, type: 'text/plain', body: CALL }),
  'a POST whose response it does not ask to see': (page, url) =>
    page.evaluate(attempt, { url, type: 'text/plain', body: CALL, mode: 'no-cors' as const }),
  'a form': (page, url) =>
    submitted(
      page,
      `<form method="post" enctype="text/plain" action="${url}/_control/call">
      <input name='{"call":"createOrganization","args":[]}' value=""></form>`,
    ),
  'a frame of the dashboard': async (page, url) => {
    await page.setContent(`<iframe src="${url}/"></iframe>`);
    await expect.poll(() => page.frames().length).toBe(2);
    const [, frame] = page.frames();
    await frame?.waitForLoadState();
    return (await frame?.content())?.includes('<div id="app"') ? 'shown' : 'blocked';
  },
  'an EventSource': (page, url) =>
    page.evaluate(
      (address) =>
        new Promise((resolve) => {
          const source = new EventSource(`${address}/_control/stream`);
          source.addEventListener('hello', () => resolve('heard'));
          source.addEventListener('error', () => resolve('blocked'));
        }),
      url,
    ),
};

interface Attempt {
  readonly url: string;
  readonly type: string;
  readonly body: string;
  readonly mode?: RequestMode;
}

/** Runs in the page. */
async function attempt({ url, type, body, mode = 'cors' }: Attempt): Promise<string> {
  const init = { method: 'POST', headers: { 'content-type': type }, body, mode };
  try {
    const response = await fetch(`${url}/_control/call`, init);
    return response.type === 'opaque' ? 'blocked' : `${response.status} ${await response.text()}`;
  } catch {
    return 'blocked';
  }
}

/** What the browser shows after a form was sent. */
async function submitted(page: Page, form: string): Promise<string> {
  await page.setContent(form);
  const [response] = await Promise.all([
    page.waitForResponse(/_control/),
    page.evaluate(() => document.forms[0]?.submit()),
  ]);
  return `${response.status()} ${await response.text()}`;
}

describe.runIf(needs('chromium'))('a page in a browser', () => {
  let built: BuiltDashboard;
  let server: TestServer;
  let page: Page;
  beforeAll(async () => {
    built = await openBuiltDashboard();
    server = await startServer(built);
    page = await built.browser.newPage();
  }, 60_000);
  afterAll(async () => {
    await page.context().close();
    await server.close();
    await built.close();
  });

  const visitForeignPage = async () => {
    const url = await serve((_, response) => {
      response.setHeader('content-type', 'text/html').end('<title>elsewhere</title>');
    });
    await page.goto(url);
  };

  test('there are 8 attacks', () => {
    expect(Object.keys(attacks)).toHaveLength(8);
  });

  test.each(Object.keys(attacks))('of another origin gets nothing by %s', async (name) => {
    await visitForeignPage();
    const before = server.mock.events();
    const seen = await attacks[name]?.(page, server.url);
    expect(seen).toMatch(/^blocked$|^403 .*control_forbidden/);
    expect(await page.context().cookies()).toEqual([]);
    expect(server.mock.events()).toEqual(before);
  });

  test('of another origin can call the public API', async () => {
    await visitForeignPage();
    const found = await page.evaluate(
      async ({ url, key }) => {
        const body = JSON.stringify({ prompt: 'from a page' });
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body };
        const response = await fetch(`${url}/api/ai/content/generate`, init);
        return [response.status, response.headers.get('x-request-id') !== null];
      },
      { url: server.url, key: server.mock.memberKey },
    );
    expect(found).toEqual([200, true]);
  });

  test("of the server's own origin can use the control API", async () => {
    await page.goto(`${server.url}/`);
    const own = { url: server.url, type: 'application/json', body: '{"call":"clock.now"}' };
    expect(await page.evaluate(attempt, own)).toMatch(/^200/);
  });

  test("with an EventSource stops when the generation's stream has ended", async () => {
    await page.goto(`${server.url}/`);
    // The headers of an EventSource cannot be set in the page.
    await page.setExtraHTTPHeaders({ 'x-api-key': server.mock.adminKey });
    const client = new ContentGen(server.mock.clientOptions);
    const { requestId } = await client.content.generate({ prompt: 'p' });
    const path = `/api/ai/content/generate/${requestId}`;
    const ends = await page.evaluate((address) => {
      const source = new EventSource(address);
      let count = 0;
      source.addEventListener('generation.completed', () => {
        count += 1;
      });
      return new Promise<number>((resolve) => {
        source.addEventListener('error', () => {
          if (source.readyState === EventSource.CLOSED) resolve(count);
        });
      });
    }, path);
    expect(ends).toBe(1);
    const asked = server.mock.requests().filter((request) => request.path === path);
    expect(asked.map(({ status }) => status)).toEqual([200, 204]);
  });
});
