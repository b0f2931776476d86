import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { root } from '../support/sources.ts';
import { copyApplication } from './installed.ts';

const application = copyApplication(inject('installation'));
const { folder } = application;
afterAll(() => application.remove());

const compile = (...args: string[]) =>
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...['--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'],
      ...args,
    ],
    { cwd: folder, encoding: 'utf8', stdio: 'pipe' },
  );

test('TypeScript finds every entry with moduleResolution node10', () => {
  application.write(
    'node10.ts',
    `import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';
const client = new ContentGen({ baseUrl: 'http://localhost', apiKey: 'k' });
export const text: Promise<string> = client.content.generate({ prompt: 'p' }).then((done) => done.result);
export const others = [createMockServer, createWebhookHandler];
`,
  );
  const node10 = ['--module', 'commonjs', '--moduleResolution', 'node10'];
  expect(compile('--noEmit', ...node10, '--ignoreDeprecations', '5.0', 'node10.ts')).toBe('');
});

test("the methods of client.http can be exported in pnpm's layout", () => {
  const store = join(folder, 'node_modules/.pnpm/contentgen/node_modules');
  mkdirSync(store, { recursive: true });
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    cpSync(join(root, 'node_modules', name), join(store, name), { recursive: true });
    renameSync(join(folder, 'node_modules', name), join(folder, `.${name}`));
  }
  renameSync(join(folder, 'node_modules/contentgen'), join(store, 'contentgen'));
  symlinkSync('.pnpm/contentgen/node_modules/contentgen', join(folder, 'node_modules/contentgen'));
  application.write(
    'pnpm.ts',
    `import { ContentGen } from 'contentgen';
const client = new ContentGen({ baseUrl: 'http://localhost', apiKey: 'k' });
export const { GET } = client.http;
`,
  );
  compile('--declaration', '--emitDeclarationOnly', '--module', 'nodenext', 'pnpm.ts');
  expect(readFileSync(join(folder, 'pnpm.d.ts'), 'utf8')).toContain('import("contentgen")');
});
