import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { promisedOutput, shownKey, snippetsOf } from '../e2e/readme/snippets.ts';
import { firstLine } from '../support/first-line.ts';
import { freePort } from '../support/free-port.ts';
import { locate, needs } from '../support/needs.ts';
import { root } from '../support/sources.ts';
import { type Application, copyApplication } from './installed.ts';

interface Started {
  readonly url: string;
  readonly adminKey: string;
  readonly signingSecret: string;
}

let application: Application;
let server: ChildProcess;
let started: Started;

/** What someone does who has the tarball and reads the README, with the blocks copied as they stand. */
const page = (name: string) => snippetsOf(name, readFileSync(join(root, name), 'utf8'));

beforeAll(async () => {
  application = copyApplication(inject('installation'));
  const command = join(application.folder, 'node_modules/.bin/contentgen');
  server = spawn(process.execPath, [command, 'mock', '--port', '0', '--json', '--log', 'none'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started = JSON.parse(await firstLine(server)) as Started;
});

afterAll(() => {
  server?.kill();
  application?.remove();
});

describe('with the tarball and nothing else', () => {
  const runs = page('README.md').filter(({ run }) => run);

  test.each(runs)('$name runs against the installed command', ({ file, text }) => {
    application.write(
      file.replace(/\.ts$/, '.mts'),
      text
        .replaceAll(shownKey, started.adminKey)
        .replaceAll('https://api.example.com', started.url),
    );
    execFileSync(process.execPath, [file.replace(/\.ts$/, '.mts')], {
      cwd: application.folder,
      stdio: 'pipe',
      env: { ...process.env, CONTENTGEN_WEBHOOK_SECRET: started.signingSecret },
    });
  });

  test('the receiver of the README is audited by the installed command, and nothing is wrong with it', () => {
    const receiver = runs.find(({ text }) => text.includes('export const POST'));
    application.write('receiver.mts', receiver?.text ?? '');
    application.write(
      'audit.mts',
      `import { auditReceiver } from 'contentgen/testing';
      process.env.CONTENTGEN_WEBHOOK_SECRET = '${started.signingSecret}';
      console.log = console.error = console.warn = () => {};
      const { POST } = await import('./receiver.mts');
      const { ok, results } = await auditReceiver(POST, { secret: '${started.signingSecret}' });
      process.stdout.write(ok ? 'ok' : JSON.stringify(results));
      process.exit();`,
    );
    expect(application.run(process.execPath, 'audit.mts')).toBe('ok');
  });
});

// Takes half a minute, so it runs only in CI; `CI=true npx vitest run --project package` runs it anywhere.
const inCi = process.env['CI'] === 'true' && needs('chromium');

describe.runIf(inCi)('with the tarball and Chromium', () => {
  const executablePath = locate('chromium') ?? '';

  test.each(['README.md', 'docs/getting-started.md'])(
    'the first browser test of %s prints its result',
    async (name) => {
      application.link('msw', 'esbuild');
      const [snippet] = page(name).filter(({ text }) => text.includes('contentgen/mock/browser'));
      const [promise = /.{10}/] = snippet ? promisedOutput(snippet) : [];
      application.write('page.mts', snippet?.text ?? '');
      const { outputFiles } = await build({
        absWorkingDir: application.folder,
        entryPoints: ['page.mts'],
        bundle: true,
        format: 'esm',
        platform: 'browser',
        write: false,
      });
      const files: Record<string, [type: string, body: string]> = {
        '/': ['text/html', '<!doctype html><script type="module" src="page.js"></script>'],
        '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
        '/mockServiceWorker.js': [
          'text/javascript',
          readFileSync(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8'),
        ],
      };
      const site = createServer((request, response) => {
        const [type, body] = files[request.url ?? ''] ?? ['text/plain', ''];
        response.setHeader('content-type', type).end(body);
      }).listen(0, '127.0.0.1');
      await once(site, 'listening');
      const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      try {
        const tab = await browser.newPage();
        const printed = tab.waitForEvent('console', {
          predicate: (message) => message.type() === 'log' && !message.text().startsWith('%c[MSW]'),
        });
        await tab.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
        expect((await printed).text()).toMatch(promise);
      } finally {
        await browser.close();
        site.close();
      }
    },
  );

  test('the Playwright example passes', async () => {
    application.link('@playwright/test', 'playwright', 'playwright-core');
    application.write('package.json', '{ "private": true, "type": "module" }');
    cpSync(join(root, 'examples/playwright'), join(application.folder, 'e2e'), { recursive: true });
    const cli = join(application.folder, 'node_modules/@playwright/test/cli.js');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [cli, 'test', '--config', 'e2e'],
      {
        cwd: application.folder,
        encoding: 'utf8',
        timeout: 110_000,
        env: {
          ...process.env,
          CHROMIUM_PATH: executablePath,
          MOCK_PORT: `${await freePort()}`,
          APP_PORT: `${await freePort()}`,
        },
      },
    );
    expect({ status, output: stdout + stderr }).toEqual({
      status: 0,
      output: expect.stringMatching(/\b3 passed/),
    });
  });
});
