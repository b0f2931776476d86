import { ContentGen } from 'contentgen';
import { describe, expect, test } from 'vitest';
import { startProxy } from '../../chaos/proxy.ts';
import { needs } from '../../support/needs.ts';
import { callApi, startServer, useDashboard, visit } from './harness.ts';

const [TOKEN, OTHER] = ['a-long-control-token', 'another-control-token'];

describe.runIf(needs('chromium'))('the connection of the dashboard', { timeout: 45_000 }, () => {
  const dashboard = useDashboard();

  test('the page asks for the control token, keeps it for the tab, sends it with every call, and asks again after a restart with another', async () => {
    const own = await startServer(dashboard.built, {}, 0, { controlToken: TOKEN });
    const tab = await visit(dashboard.built, own);
    const { page } = tab;
    const sent = new Map<string, string | undefined>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/_control')) sent.set(pathname, request.headers()['authorization']);
    });
    await page.goto(own.url);
    await page.getByLabel('Control token').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The server did not accept the control token.').waitFor();
    await page.getByLabel('Control token').fill(TOKEN);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText(own.mock.adminKey).waitFor();
    expect(Object.fromEntries(sent)).toEqual({
      '/_control/stream': `Bearer ${TOKEN}`,
      '/_control/call': `Bearer ${TOKEN}`,
    });
    await page.reload();
    await page.getByText(own.mock.adminKey).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await own.close();
    const port = Number(new URL(own.url).port);
    const again = await startServer(dashboard.built, { seed: 2 }, port, { controlToken: OTHER });
    await page.getByLabel('Control token').fill(OTHER);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText(again.mock.adminKey).waitFor();
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByLabel('Control token').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await tab.close();
    await again.close();
  });

  test('an outage says so, and after a restart the state of the new server is shown, live', async () => {
    const own = await startServer(dashboard.built, { clock: 'real' });
    const port = Number(new URL(own.url).port);
    const tab = await visit(dashboard.built, own);
    const { page } = tab;
    await callApi(own, '/api/ai/content/generate', { prompt: 'before' });
    await tab.go('records/generations');
    await page.getByText('1 of 1').waitFor();
    await own.close();
    await page.getByRole('alert').getByText('does not respond').waitFor();
    expect(await page.getByText('1 of 1').isVisible(), 'the last known state stays').toBe(true);
    const again = await startServer(dashboard.built, { clock: 'real', seed: 2 }, port);
    await page.getByText('No generations.').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await callApi(again, '/api/ai/content/generate', { prompt: 'after' });
    await page.getByText('1 of 1').waitFor();
    await tab.close();
    await again.close();
  });

  test('a page that slept for an hour, while the connection died, catches up', async () => {
    const own = await startServer(dashboard.built, { clock: 'real' });
    const proxy = await startProxy(Number(new URL(own.url).port));
    const tab = await visit(dashboard.built, { ...own, url: `http://127.0.0.1:${proxy.port}` });
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

  test("an EventSource of the browser stops when the generation's stream has ended", async () => {
    const own = await startServer(dashboard.built);
    const tab = await visit(dashboard.built, own);
    const { page } = tab;
    await page.goto(own.url);
    // The headers of an EventSource cannot be set in the page.
    await page.setExtraHTTPHeaders({ 'x-api-key': own.mock.adminKey });
    const { requestId } = await new ContentGen(own.mock.clientOptions).content.generate({
      prompt: 'p',
    });
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
    const asked = own.mock.requests().filter((request) => request.path === path);
    expect(asked.map(({ status }) => status)).toEqual([200, 204]);
    await tab.close();
    await own.close();
  });
});
