import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProxy } from '../../chaos/proxy.ts';
import { needs } from '../../support/needs.ts';
import { type BuiltDashboard, callApi, openBuiltDashboard, startServer, visit } from './harness.ts';

const [TOKEN, OTHER] = ['a-long-control-token', 'another-control-token'];

describe.runIf(needs('chromium'))('the connection of the dashboard', { timeout: 45_000 }, () => {
  let built: BuiltDashboard;
  beforeAll(async () => {
    built = await openBuiltDashboard();
  }, 60_000);
  afterAll(() => built.close());

  test('the page asks for the control token, keeps it for the tab, sends it with every call, and asks again after a restart with another', async () => {
    const own = await startServer(built, {}, 0, { controlToken: TOKEN });
    const tab = await visit(built, own);
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
    const again = await startServer(built, { seed: 2 }, port, { controlToken: OTHER });
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
    const own = await startServer(built, { clock: 'real' });
    const port = Number(new URL(own.url).port);
    const tab = await visit(built, own);
    const { page } = tab;
    await callApi(own, '/api/ai/content/generate', { prompt: 'before' });
    await tab.go('records/generations');
    await page.getByText('1 of 1').waitFor();
    await own.close();
    await page.getByRole('alert').getByText('does not respond').waitFor();
    expect(await page.getByText('1 of 1').isVisible(), 'the last known state stays').toBe(true);
    const again = await startServer(built, { clock: 'real', seed: 2 }, port);
    await page.getByText('No generations.').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await callApi(again, '/api/ai/content/generate', { prompt: 'after' });
    await page.getByText('1 of 1').waitFor();
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
});
