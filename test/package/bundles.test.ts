import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Bundler, bundlers } from './bundles.ts';
import { type Application, copyApplication } from './installed.ts';

let application: Application;

beforeAll(() => {
  application = copyApplication(inject('installation'));
});
afterAll(() => application?.remove());

describe.each(Object.entries(bundlers))('bundled for browsers by %s', (_, bundle) => {
  const bundled = (code: string) => {
    application.write('page.mjs', code);
    return (bundle as Bundler)(application.folder, 'page.mjs');
  };

  test('an unused entry leaves nothing in the bundle', async () => {
    const entries = ['', '/webhooks', '/webhooks/redis', '/webhooks/postgres', '/testing', '/mock'];
    for (const entry of entries) {
      const { entry: code } = await bundled(`import 'contentgen${entry}'; export const a = 1;`);
      expect({ entry, left: code.length < 400 }).toEqual({ entry, left: true });
    }
  });

  test('unused code is not in the bundle', async () => {
    const client = await bundled("export { ContentGen } from 'contentgen';");
    expect(client.entry).toContain('api/ai/content/generate');
    expect(client.entry).not.toContain('webhook-timestamp');
    expect(client.entry).not.toContain('getBuiltinModule');

    for (const guard of ['isContentGenError', 'isApiError']) {
      const { gzipped } = await bundled(`export { ${guard} } from 'contentgen';`);
      expect(gzipped).toBeLessThan(500);
    }

    const verifier = await bundled("export { verifyWebhook } from 'contentgen/webhooks';");
    const handler = await bundled("export { createWebhookHandler } from 'contentgen/webhooks';");
    expect(handler.entry).toContain('callback_failed');
    expect(verifier.entry).not.toContain('callback_failed');
    expect(verifier.gzipped).toBeLessThan(handler.gzipped * 0.8);
  });

  test('the reference server’s Node parts are loaded later, or never', async () => {
    const mock = await bundled("export { createMockServer } from 'contentgen/mock';");
    expect(mock.entry).not.toMatch(/from\s*["']node:/);
  });

  test('a bundled page runs a generation against the bundled reference server', async () => {
    const { files } = await bundled(`
      import { ContentGen } from 'contentgen';
      import { createMockServer } from 'contentgen/mock';
      export async function play() {
        const mock = createMockServer({ clock: 'manual', seed: 1 });
        const client = new ContentGen({
          baseUrl: mock.baseUrl, apiKey: mock.adminKey, fetch: mock.fetch, dangerouslyAllowBrowser: true,
        });
        console.log((await client.content.generate({ prompt: 'Hi' })).status);
      }
      globalThis.play = play;`);
    for (const { name } of files) {
      mkdirSync(join(application.folder, 'bundled', dirname(name)), { recursive: true });
    }
    for (const { name, text } of files) application.write(`bundled/${name}`, text);
    application.write('start.mjs', `await import('./bundled/${files[0]?.name}'); await play();`);
    const output = application.run(process.execPath, 'start.mjs');
    expect(output).toBe('completed\n');
  });
});

// Vite skips a condition that is null, so it resolves to what Node would get.
test('an entry of another environment is rejected by esbuild', async () => {
  for (const entry of ['node', 'webhooks/node', 'mock/node', 'mock/http']) {
    application.write('page.mjs', `export * from 'contentgen/${entry}';`);
    const bundled = bundlers.esbuild(application.folder, 'page.mjs');
    await expect(bundled, entry).rejects.toThrow(/Could not resolve/);
  }
});
