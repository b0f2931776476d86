import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMockServer } from 'contentgen/mock';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { needs } from '../../support/needs.ts';
import { root } from '../../support/sources.ts';
import { comments, promisedOutput, type Snippet, snippets, snippetsOf } from './snippets.ts';

const folder = fileURLToPath(new URL('.snippets/', import.meta.url));
/** What imports a package of others is written next to these packages. */
const foreign = join(root, 'test/foreign');
const { dependencies } = JSON.parse(readFileSync(join(foreign, 'package.json'), 'utf8'));
const isForeign = new RegExp(`from '(?:${Object.keys(dependencies).join('|')})'`);
const all = snippets();

beforeAll(() => {
  for (const one of [folder, `${foreign}/.snippets/pages/`]) {
    rmSync(one, { recursive: true, force: true });
    mkdirSync(`${one}run`, { recursive: true });
  }
  writeFileSync(`${folder}deployment.json`, '{}');
  for (const snippet of all) write(snippet, snippet.text);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('a ts fence is a snippet, a ts run fence is also executed, and others are ignored', () => {
  const page = '```ts\na\n```\n\n```ts run\nb\n```\n\n```sh\nc\n```\n```ts check\nd\n```\n';
  const found = snippetsOf('docs/page.md', page);
  expect(found.map(({ text, run }) => [text, run])).toEqual([
    ['a\n', false],
    ['b\n', true],
    ['d\n', false],
  ]);
});

test('a ts fence in a doc comment is a snippet', () => {
  const source =
    '/**\n * Says.\n * @example\n * ```ts\n * f({\n *   a: 1,\n * });\n * ```\n */\nf();';
  expect(snippetsOf('src/f.ts', comments(source))[0]?.text).toBe('f({\n  a: 1,\n});\n');
});

test('the README has snippets that run', () => {
  expect(all.filter(({ name, run }) => name.startsWith('README.md') && run)).not.toEqual([]);
});

test.runIf(needs('foreign'))(
  'each snippet of the README, the docs and the doc comments compiles',
  () => {
    expect(compile()).toBe('');
  },
);

describe('each snippet marked to run works against the reference server', () => {
  // Generous: a simulation over SQL starts a database for each seed, and cores are shared.
  test.each(all.filter(({ run }) => run))('$name', { timeout: 240_000 }, async (snippet) => {
    const mock = createMockServer({ baseUrl: 'https://api.example.com', seed: 1 });
    mock.receivers.set('https://app.example/callbacks', async () => new Response());
    vi.stubGlobal('fetch', withNetwork(mock.fetch, globalThis.fetch));
    vi.stubEnv('CONTENTGEN_BASE_URL', mock.baseUrl);
    vi.stubEnv('CONTENTGEN_API_KEY', mock.adminKey);
    vi.stubEnv('CONTENTGEN_WEBHOOK_SECRET', mock.signingSecret);
    const logged: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values) => void logged.push(values.join(' ')));
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    const running = write({ ...snippet, file: `run/${snippet.file}` }, snippet.text);

    await import(/* @vite-ignore */ running);

    for (const promise of promisedOutput(snippet)) {
      expect(logged).toContainEqual(expect.stringMatching(promise));
    }
  });
});

/** Loopback requests reach the snippet's own server; all others reach the service. */
function withNetwork(service: typeof fetch, network: typeof fetch): typeof fetch {
  return (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    return (hostname === '127.0.0.1' ? network : service)(input, init);
  };
}

function write({ file }: Snippet, text: string): string {
  const path = `${isForeign.test(text) ? `${foreign}/.snippets/pages/` : folder}${file}`;
  writeFileSync(path, text);
  return path;
}

function compile(): string {
  const args = [
    'node_modules/typescript-7/bin/tsc',
    '-p',
    'test/foreign/pages.json',
    '--pretty',
    'false',
  ];
  try {
    return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
