import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { createMockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import app from '../../../examples/hono-workers/resume.ts';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { locate, needs } from '../../support/needs.ts';

const path = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));
const words = Array.from({ length: 20 }, (_, index) => `word ${index}, `);

test.runIf(needs('chromium'))(
  'Hono: a page that is reloaded in the middle shows the whole text, billed once',
  async () => {
    const gate = Promise.withResolvers<void>();
    const mock = createMockServer({
      processingTime: 0,
      async *generator() {
        for (const [index, word] of words.entries()) {
          if (index === 8) await gate.promise;
          yield word;
        }
      },
    });
    const service = await serve(mock, { port: 0, dashboard: false });
    const env = {
      CONTENTGEN_BASE_URL: service.url,
      CONTENTGEN_API_KEY: mock.adminKey,
      WEBHOOK_URL: 'https://app.example/webhooks',
    };
    const script = await pageScript();
    const server = createServer((request, response) => {
      if (request.url === '/') {
        response.setHeader('content-type', 'text/html');
        response.end(`<pre></pre><script type="module">${script}</script>`);
      } else void toApp(request, response, env).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const executablePath = locate('chromium');
    const browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
    });
    onTestFinished(async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await service.close({ graceMs: 0 });
      await mock.close();
    });
    const page = await browser.newPage();
    const text = () => page.locator('pre').textContent();
    const begun = words.slice(0, 8).join('');
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await expect.poll(text).toBe(begun);
    await page.reload();
    await expect.poll(text).toBe(begun);
    await expect.poll(() => mock.requests({ text: 'getGeneration' })).not.toEqual([]);
    gate.resolve();
    await expect.poll(text).toBe(words.join(''));
    await page.reload();
    await expect.poll(text).toBe(words.join(''));
    expect(internalsOf(mock).page.list('generations').data).toMatchObject([
      { status: 'completed' },
    ]);
  },
);

async function pageScript(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { show } from './resume-page.ts'; show('Count', document.querySelector('pre'));`,
      resolveDir: path('examples/hono-workers'),
    },
    alias: { contentgen: path('src/index.ts') },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

async function toApp(incoming: IncomingMessage, outgoing: ServerResponse, env: object) {
  const { method = 'GET', url, headers } = incoming;
  const body =
    method === 'POST' ? await new Response(Readable.toWeb(incoming) as never).text() : null;
  const request = new Request(`http://app.example${url}`, {
    method,
    headers: headers as Record<string, string>,
    body,
  });
  const response = await app.fetch(request, env);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  await pipeline(Readable.fromWeb(response.body as NodeStream), outgoing);
}
