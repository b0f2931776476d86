import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProxy } from '../../chaos/proxy.ts';
import { needs } from '../../support/needs.ts';
import {
  type BuiltDashboard,
  callApi,
  openBuiltDashboard,
  startServer,
  type TestServer,
  visit,
} from './harness.ts';

const [TOKEN, OTHER] = ['a-long-control-token', 'another-control-token'];

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

describe.runIf(needs('chromium'))('the connection of the dashboard', { timeout: 45_000 }, () => {
  let built: BuiltDashboard;
  beforeAll(async () => {
    built = await openBuiltDashboard();
  }, 60_000);
  afterAll(() => built.close());

  test('the page asks for the control token, keeps it for the tab and sends it with every call; an outage says so, and after a restart with another token the state of the new server is shown, live', async () => {
    const own = await startServer(built, {}, 0, { controlToken: TOKEN });
    const tab = await visit(built, own);
    const { page } = tab;
    const sent = new Map<string, string | undefined>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/_control')) sent.set(pathname, request.headers()['authorization']);
    });
    const open = async (token: string) => {
      await page.getByLabel('Control token').fill(token);
      await page.getByRole('button', { name: 'Open' }).click();
    };
    await tab.go('records/generations');
    await open('wrong');
    await page.getByText('The server did not accept the control token.').waitFor();
    await open(TOKEN);
    await page.getByText('No generations.').waitFor();
    expect(Object.fromEntries(sent)).toEqual({
      '/_control/stream': `Bearer ${TOKEN}`,
      '/_control/call': `Bearer ${TOKEN}`,
    });
    await callApi(own, '/api/ai/content/generate', { prompt: 'before' });
    await page.reload();
    await page.getByText('1 of 1').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);

    await own.close();
    await page.getByRole('alert').getByText('does not respond').waitFor();
    expect(await page.getByText('1 of 1').isVisible(), 'the last known state stays').toBe(true);
    const port = Number(new URL(own.url).port);
    const again = await startServer(built, { seed: 2 }, port, { controlToken: OTHER });
    await open(OTHER);
    await page.getByText('No generations.').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await callApi(again, '/api/ai/content/generate', { prompt: 'after' });
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByLabel('Control token').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await tab.close();
    await again.close();
  });

  test('a page that slept for an hour, while the connection died, catches up', async () => {
    const own = await startServer(built, { clock: 'real' });
    const proxy = await startProxy(Number(new URL(own.url).port));
    const tab = await visit(built, { ...own, url: `http://127.0.0.1:${proxy.port}` });
    const { page } = tab;
    await page.clock.install();
    await tab.go('records/generations');
    await page.getByText('No generations.').waitFor();
    proxy.stall();
    await callApi(own, '/api/ai/content/generate', { prompt: '[[say: while it slept]]' });
    await page.clock.fastForward('01:00:00');
    proxy.resume();
    await page.clock.runFor('00:10');
    await page.getByText('while it slept').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    await tab.close();
    proxy.close();
    await own.close();
  });

  describe('a page of another origin', () => {
    let server: TestServer;
    let page: Page;
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<title>elsewhere</title>');
    });
    beforeAll(async () => {
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      server = await startServer(built);
      page = await built.browser.newPage();
    });
    afterAll(async () => {
      await page.context().close();
      await server.close();
      other.closeAllConnections();
      other.close();
    });

    test.each(Object.keys(attacks))('gets nothing by %s', async (name) => {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
      if (page.url() !== url) await page.goto(url);
      const before = server.mock.events();
      const seen = await attacks[name]?.(page, server.url);
      expect(seen).toMatch(/^blocked$|^403 .*control_forbidden/);
      expect(await page.context().cookies()).toEqual([]);
      expect(server.mock.events()).toEqual(before);
    });

    test('is not a page of the same origin, which can use the control API', async () => {
      await page.goto(`${server.url}/api/usage`);
      const own = { url: server.url, type: 'application/json', body: '{"call":"clock.now"}' };
      expect(await page.evaluate(attempt, own)).toMatch(/^200/);
    });
  });
});
