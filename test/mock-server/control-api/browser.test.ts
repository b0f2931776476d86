import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedMock, serve } from '../../../mock-server/http/serve.ts';
import { createMockServer, type MockServer } from '../../../mock-server/index.ts';
import { locate, needs } from '../../support/needs.ts';

describe.runIf(needs('chromium'))('a page in a browser', () => {
  let browser: Browser;
  let mock: MockServer;
  let server: ServedMock;
  const elsewhere = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>elsewhere</title>');
  });

  beforeAll(async () => {
    const executablePath = locate('chromium');
    browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
    });
    mock = createMockServer({ clock: 'manual', seed: 1 });
    server = await serve(mock, { port: 0 });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close({ graceMs: 0 });
    await mock?.close();
    elsewhere.close();
  });

  async function pageAt(url: string) {
    const page = await browser.newPage();
    await page.goto(url);
    return page;
  }

  test('a page from another origin can call the public API but not the control API', async () => {
    const page = await pageAt(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    const found = await page.evaluate(
      async ({ url, key }) => {
        const outcome = async (path: string, init?: RequestInit) => {
          try {
            const response = await fetch(url + path, init);
            return [response.status, response.headers.get('x-request-id') !== null];
          } catch {
            return 'blocked';
          }
        };
        const body = JSON.stringify({ prompt: 'from a page' });
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const reset = { method: 'POST', body: '{"call":"reset"}' };
        return {
          generate: await outcome('/api/ai/content/generate', { method: 'POST', headers, body }),
          stream: await outcome('/_control/stream'),
          json: await outcome('/_control/call', { ...reset, headers }),
          simple: await outcome('/_control/call', reset),
          blind: await outcome('/_control/call', { ...reset, mode: 'no-cors' }),
          dashboard: await outcome('/'),
        };
      },
      { url: server.url, key: mock.memberKey },
    );
    expect(found).toEqual({
      generate: [200, true],
      stream: 'blocked',
      json: 'blocked',
      simple: 'blocked',
      // The request is sent, but the server rejects it and the browser hides the response from the page.
      blind: [0, false],
      dashboard: 'blocked',
    });
    expect(mock.requests()).toHaveLength(2);
  });

  test('a page from the server’s own origin can use the control API', async () => {
    const page = await pageAt(`${server.url}/`);
    const clock = await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      const body = '{"call":"clock.now"}';
      return (await fetch('/_control/call', { method: 'POST', headers, body })).status;
    });
    expect(clock).toBe(200);
  });
});
