import { describe, expect, test } from 'vitest';
import { startProxy } from '../../chaos/proxy.ts';
import { needs } from '../../support/needs.ts';
import { screenshot, startServer, useDashboard, visit } from './harness.ts';

describe.runIf(needs('chromium'))('outages on the dashboard', { timeout: 45_000 }, () => {
  const dashboard = useDashboard();

  test('an outage says what happened and stops the clock; Retry brings everything back', async () => {
    const own = await startServer(dashboard.built, { clock: 'real' });
    const port = Number(new URL(own.url).port);
    const tab = await visit(dashboard.built, own);
    const { page } = tab;
    await page.clock.install();
    await tab.go('keys');
    await page.getByText('Live', { exact: true }).waitFor();
    await own.close();
    const banner = page.getByRole('alert');
    await banner.getByText('The server is not responding.').waitFor();
    await page.getByText('stopped', { exact: true }).waitFor();
    const time = () => page.locator('.server-time time').innerText();
    const stopped = await time();
    await page.clock.runFor('00:40');
    expect(await time(), 'the clock has stopped').toBe(stopped);
    await banner.getByText(stopped.slice(-12, -4)).waitFor();
    // From here on the page's own timers stand still, so only the button can connect it again.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
    const again = await startServer(dashboard.built, { clock: 'real', seed: 2 }, port);
    await banner.getByRole('button', { name: 'Retry now' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.clock.resume();
    await expect.poll(time, { message: 'the clock goes on' }).not.toBe(stopped);
    await tab.close();
    await again.close();
  });

  test('a server that hangs with the stream open is an outage, and its next word ends it', async () => {
    const own = await startServer(dashboard.built, { clock: 'real' });
    const proxy = await startProxy(Number(new URL(own.url).port));
    const tab = await visit(dashboard.built, { ...own, url: `http://127.0.0.1:${proxy.port}` });
    const { page } = tab;
    await page.clock.install();
    await tab.go('keys');
    await page.getByText('Live', { exact: true }).waitFor();
    proxy.stall();
    await page.clock.runFor('00:30');
    expect(await page.getByText('Live', { exact: true }).count(), 'two pings may be late').toBe(1);
    await page.clock.runFor('00:20');
    const banner = page.getByRole('alert');
    await banner.getByText('The server is not responding.').waitFor();
    await page.getByText('stopped', { exact: true }).waitFor();
    await page.clock.runFor('01:00');
    await banner.getByText('It keeps retrying.').waitFor();
    await screenshot(page, 'outage-hung');
    proxy.resume();
    await page.clock.runFor('00:20');
    await banner.waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
    expect(tab.pageErrors).toEqual([]);
    await tab.close();
    proxy.close();
    await own.close();
  });
});
