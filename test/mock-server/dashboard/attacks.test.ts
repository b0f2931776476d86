import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { useDashboard } from './harness.ts';

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
  const dashboard = useDashboard();
  const elsewhere = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>elsewhere</title>');
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void elsewhere.close());

  async function pageAt(url: string) {
    const page = await dashboard.built.browser.newPage();
    await page.goto(url);
    return page;
  }
  const foreignPage = () =>
    pageAt(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);

  test('there are 8 attacks', () => {
    expect(Object.keys(attacks)).toHaveLength(8);
  });

  test.each(Object.keys(attacks))('of another origin gets nothing by %s', async (name) => {
    const page = await foreignPage();
    const before = dashboard.server.mock.events();
    const seen = await attacks[name]?.(page, dashboard.server.url);
    expect(seen).toMatch(/^blocked$|^403 .*control_forbidden/);
    expect(await page.context().cookies()).toEqual([]);
    expect(dashboard.server.mock.events()).toEqual(before);
    await page.close();
  });

  test('of another origin can call the public API', async () => {
    const page = await foreignPage();
    const found = await page.evaluate(
      async ({ url, key }) => {
        const body = JSON.stringify({ prompt: 'from a page' });
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body };
        const response = await fetch(`${url}/api/ai/content/generate`, init);
        return [response.status, response.headers.get('x-request-id') !== null];
      },
      { url: dashboard.server.url, key: dashboard.server.mock.memberKey },
    );
    expect(found).toEqual([200, true]);
  });

  test('of the server’s own origin can use the control API', async () => {
    const page = await pageAt(`${dashboard.server.url}/`);
    const body = '{"call":"clock.now"}';
    const own = { url: dashboard.server.url, type: 'application/json', body };
    expect(await page.evaluate(attempt, own)).toMatch(/^200/);
  });
});
