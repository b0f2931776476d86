import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { ContentGen } from '../dist/index.js';
import { connectMock } from '../dist/mock/remote.js';
import { toNodeHandler } from '../dist/webhooks/node.js';
import { createWebhookHandler } from '../dist/webhooks.js';

// Writes docs/images/dashboard.png for the README: the deliveries of an application whose receiver has a wrong secret
// for one registration. Run `npm run build` first.
const root = fileURLToPath(new URL('..', import.meta.url));
const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

const command = spawn(
  process.execPath,
  [`${root}dist/mock/cli.js`, 'mock', '--port', '4010', '--seed', '7', '--json', '--log', 'none'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [line] = await once(command.stdout, 'data');
const { url, adminKey, signingSecret } = JSON.parse(String(line));
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox'],
});
const receivers = [];

try {
  const good = await listen(3000, signingSecret);
  const wrong = await listen(3001, `whsec_${btoa('another secret of 32 bytes......')}`);
  const client = new ContentGen({ baseUrl: url, apiKey: adminKey });
  const mock = connectMock(url);
  await client.webhooks.create({ event: 'invoice_paid', url: good, secret: signingSecret });
  await client.webhooks.create({ event: 'data_updated', url: wrong });
  for (const prompt of ['A haiku about TCP', 'A limerick about QUIC', 'An ode to the cursor']) {
    const job = await client.content.start({ prompt, webhookUrl: good });
    await job.wait();
  }
  await mock.trigger('invoice_paid', { invoice: { amountDue: 4200 } });
  await mock.trigger('data_updated', { source: 'product-catalog', records: 128 });
  await mock.settle();
  const page = await browser.newPage({
    viewport: { width: 1280, height: 760 },
    deviceScaleFactor: 1.5,
    colorScheme: process.argv.includes('--dark') ? 'dark' : 'light',
  });
  await page.goto(`${url}/#/traffic/deliveries`);
  await page
    .getByRole('row', { name: /data_updated/ })
    .first()
    .click();
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${root}docs/images/dashboard.png` });
  console.log('[info] docs/images/dashboard.png written');
} finally {
  await browser.close();
  for (const receiver of receivers) {
    receiver.closeAllConnections();
    receiver.close();
  }
  command.kill();
}

async function listen(port, secret) {
  const handler = createWebhookHandler({ secret, logger: { ...console, diagnose: false } });
  const receiver = createServer(toNodeHandler(handler)).listen(port, '127.0.0.1');
  receivers.push(receiver);
  await once(receiver, 'listening');
  return `http://127.0.0.1:${port}/webhooks`;
}
