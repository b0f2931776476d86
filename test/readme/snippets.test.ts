import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMockServer } from 'contentgen/mock';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { root } from '../support/sources.ts';
import { promisedOutput, type Snippet, shownKey, snippets } from './snippets.ts';

const folder = fileURLToPath(new URL('.snippets/', import.meta.url));
const all = snippets();

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}run`, { recursive: true });
  for (const snippet of all) write(snippet, snippet.text);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('the README shows snippets that run', () => {
  expect(all.filter(({ name, run }) => name.startsWith('README.md') && run)).not.toEqual([]);
});

test('each snippet of the README, the docs and the doc comments compiles', () => {
  expect(compile()).toBe('');
});

describe('each snippet marked to run does, against the reference server', () => {
  test.each(all.filter(({ run }) => run))('$name', async (snippet) => {
    const mock = createMockServer({ baseUrl: 'https://api.example.com', seed: 1 });
    mock.receivers.set('https://app.example/callbacks', async () => new Response());
    vi.stubGlobal('fetch', mock.fetch);
    vi.stubEnv('CONTENTGEN_WEBHOOK_SECRET', mock.signingSecret);
    const logged: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values) => void logged.push(values.join(' ')));
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    const running = write(
      { ...snippet, file: `run/${snippet.file}` },
      snippet.text.replaceAll(shownKey, mock.adminKey),
    );

    await import(/* @vite-ignore */ running);

    for (const promise of promisedOutput(snippet)) {
      expect(logged).toContainEqual(expect.stringMatching(promise));
    }
  });
});

function write({ file }: Snippet, text: string): string {
  const path = `${folder}${file}`;
  writeFileSync(path, text);
  return path;
}

function compile(): string {
  const args = ['node_modules/typescript-7/bin/tsc', '-p', 'test/readme', '--pretty', 'false'];
  try {
    return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
