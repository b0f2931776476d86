import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Snippet, snippetsOf } from '../e2e/readme/snippets.ts';
import { firstLine } from '../support/first-line.ts';
import { freePort } from '../support/free-port.ts';
import { root } from '../support/sources.ts';
import { type Application, copyApplication, nodes } from './installed.ts';
import { startPackedServer } from './packed-server.ts';

let application: Application;
let server: Awaited<ReturnType<typeof startPackedServer>>;

/** What someone does who has the tarball and reads the README, with the blocks copied verbatim. */
const page = (name: string) => snippetsOf(name, readFileSync(join(root, name), 'utf8'));

beforeAll(async () => {
  application = copyApplication(inject('installation'));
  server = await startPackedServer(application, ['--write-env', '.env']);
});

afterAll(() => {
  server?.child.kill();
  application?.remove();
});

describe('with the tarball and nothing else', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const blocks = page('README.md');

  /** As the README says: saved as a JavaScript module, and run with the variables that the command wrote. */
  const runAsCopied = async (
    { file, text }: Snippet,
    { args = [] as string[], node = process.execPath } = {},
  ) => {
    const name = file.replace(/\.ts$/, '.mjs');
    application.write(name, text.replaceAll('3000', `${await freePort()}`));
    return execFileSync(node, ['--env-file=.env', ...args, name], {
      cwd: application.folder,
      stdio: 'pipe',
      encoding: 'utf8',
      env: withoutVariables(),
    });
  };

  const copies = nodes().flatMap(({ path: node, major }) =>
    blocks.map((snippet) => ({ node, major, snippet, name: snippet.name })),
  );

  test.each(copies)('$name runs as copied on Node $major', async ({ node, snippet }) => {
    const isTest = snippet.text.includes('node:test');
    const output = await runAsCopied(snippet, { node, args: isTest ? ['--test'] : [] });
    if (!snippet.text.includes('assert')) expect(output.trim()).not.toBe('');
    if (snippet.text.includes('createServer(')) expect(output).toMatch(/^verified:? .{10}/m);
  });

  test('the commands find the variables in the file that they are given', () => {
    const command = join(application.folder, 'node_modules/.bin/contentgen');
    const output = execFileSync(process.execPath, [command, 'doctor', '--env-file', '.env'], {
      cwd: application.folder,
      encoding: 'utf8',
      env: withoutVariables(),
    });
    expect(output).toContain("It is the project's signing secret");
  });

  test('a server that npx has started ends when npx is killed', async () => {
    const npx = spawn('npx', ['contentgen', 'mock', '--port', '0', '--json', '--log', 'none'], {
      cwd: application.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { url } = JSON.parse(await firstLine(npx));
    expect((await fetch(url)).ok).toBe(true);
    npx.kill();
    await expect.poll(() => fetch(url).catch(() => 'gone'), { timeout: 10_000 }).toBe('gone');
  });

  test('each link of the README works from npm: it is absolute, or a file in the package', () => {
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const relative = targets.filter((target) => !/^https:\/\//.test(target));
    const folder = join(application.folder, 'node_modules/contentgen');
    expect(targets.length).toBeGreaterThan(10);
    expect(relative.filter((target) => !existsSync(join(folder, target)))).toEqual([]);
  });

  test('absolute links to the repository point to files in it', () => {
    const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      repository: { url: string };
    };
    const web = repository.url.replace(/^git\+|\.git$/g, '');
    const raw = web.replace('github.com', 'raw.githubusercontent.com');
    const links = [...readme.matchAll(/\]\((https:[^)\s]+)\)/g)].map(([, link = '']) => link);
    const own = links.filter((link) => link.startsWith(web) || link.startsWith(raw));
    expect(own.length).toBeGreaterThan(10);
    const missing = own.filter((link) => {
      const path = link
        .replace(/^https:\/\/github\.com\/[^/]+\/[^/]+\/(?:blob|tree)\/main\//, '')
        .replace(`${raw}/main/`, '');
      return !existsSync(join(root, path.replace(/#.*$/, '')));
    });
    expect(missing).toEqual([]);
  });

  test("the guide's receiver passes the audit of the installed package", () => {
    const receiver = page('docs/receiving-webhooks.md').find(({ text }) =>
      text.includes('export const handler'),
    );
    application.write('receiver.mts', receiver?.text ?? '');
    application.write(
      'audit.mts',
      `import { auditReceiver } from 'contentgen/testing';
      process.env.CONTENTGEN_WEBHOOK_SECRET = '${server.signingSecret}';
      console.log = console.error = console.warn = () => {};
      const { handler } = await import('./receiver.mts');
      const { ok, results } = await auditReceiver(handler, { secret: '${server.signingSecret}' });
      process.stdout.write(ok ? 'ok' : JSON.stringify(results));
      process.exit();`,
    );
    expect(application.run(process.execPath, 'audit.mts')).toBe('ok');
  });
});

/** The environment of a stranger's terminal: nothing is set yet. */
function withoutVariables(): NodeJS.ProcessEnv {
  const own = /^(CONTENTGEN_|NODE_OPTIONS$|NODE_TEST_CONTEXT$|VITEST)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
