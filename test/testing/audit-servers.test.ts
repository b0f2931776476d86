import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditReceiver } from 'contentgen/testing';
import { afterAll, expect, test } from 'vitest';
import { secret } from '../webhooks/support.ts';
import { nodeReceivers } from './foreign/node-receiver.ts';

/** What the audit has to find in a receiver with this fault; nothing in a right one. */
const verdicts: Readonly<Record<string, RegExp | undefined>> = {
  right: undefined,
  decoded: undefined,
  'no-time': /stale/,
  'past-only': /future/,
  prefix: /another digest/,
  'no-header': /missing, empty/,
  'first-only': /second of two/,
  trim: /white space/,
  // Go sorts the keys, so that it accepts nothing.
  reparse: /another format|ordinary/,
  'no-dedupe': /a duplicate once/,
  'by-signature': /a duplicate once/,
  'answers-200': /^rejects/,
  'secret-text': /^accepts/,
};
const languages = {
  Node: [...Object.keys(verdicts), 'official'],
  Python: Object.keys(verdicts),
  Go: Object.keys(verdicts),
};
type Language = keyof typeof languages;

const inCi = process.env['CI'] === 'true';
const has = { Node: true, Python: succeeds('python3', '--version'), Go: succeeds('go', 'version') };
const ends: (() => unknown)[] = [];
const started = new Map<Language, Promise<string>>();
afterAll(() => Promise.all(ends.map((end) => end())));

function succeeds(command: string, argument: string): boolean {
  return spawnSync(command, [argument]).status === 0;
}

/** The base URL of a language's receivers. */
function receiversIn(language: Language): Promise<string> {
  const running = started.get(language) ?? start(language);
  started.set(language, running);
  return running;
}

async function start(language: Language): Promise<string> {
  if (language === 'Node') {
    const server = createServer(nodeReceivers(secret)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const folder = fileURLToPath(new URL('foreign/', import.meta.url));
  const child = language === 'Go' ? startGo(folder) : spawnIn('python3', [`${folder}receiver.py`]);
  ends.push(() => child.kill());
  const [line] = (await once(child.stdout as never, 'data')) as [Buffer];
  return `http://127.0.0.1:${`${line}`.trim()}`;
}

function startGo(folder: string): ChildProcess {
  const output = mkdtempSync(join(tmpdir(), 'contentgen-'));
  ends.push(() => rmSync(output, { recursive: true, force: true }));
  const program = join(output, 'receiver');
  const built = spawnSync('go', ['build', '-o', program, `${folder}main.go`], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  return spawnIn(program, []);
}

const spawnIn = (command: string, args: string[]) =>
  spawn(command, [...args, secret], { stdio: ['ignore', 'pipe', 'inherit'] });

const all = (Object.keys(languages) as Language[]).flatMap((language) =>
  languages[language].map((fault) => [language, fault] as const),
);
/** Outside of CI, some of the 40 stand for the others. */
const sample = all.filter(
  ([language, fault]) =>
    has[language] && (inCi || language === 'Node' || (language === 'Python' && fault === 'right')),
);

test.each(sample)(
  'a receiver in %s is judged rightly: %s',
  async (language, fault) => {
    const target = `${await receiversIn(language)}/${fault}`;
    const report = await auditReceiver(target, {
      secret,
      standard: true,
      effects: async () => Number(await (await fetch(`${target}/effects`)).text()),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 20)),
    });
    const failed = report.results.filter(({ ok }) => !ok).map(({ name }) => name);
    const wanted = verdicts[fault];
    if (!wanted) expect(failed, String(report)).toEqual([]);
    else
      expect(
        failed.some((name) => wanted.test(name)),
        String(report),
      ).toBe(true);
    expect(report.ok).toBe(!wanted);
    const slow = report.results.find(({ name }) => name === 'accepts a body that arrives slowly');
    // Python's http.server reads no chunked body.
    if (language === 'Python' && fault === 'right') {
      expect(slow?.outcome, String(report)).toBe('warning');
      expect(slow?.advice).toContain('Transfer-Encoding: chunked');
    }
  },
  300_000,
);

test('a response whose body never ends is named', async () => {
  const endless = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  const report = await auditReceiver(endless, { secret, timeoutMs: 20, wait: async () => {} });
  expect(report.ok).toBe(false);
  expect(String(report)).toContain(
    'The receiver responded 200, but the body of its response did not end.',
  );
});
