import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditReceiver } from 'contentgen/testing';
import { toNodeHandler } from 'contentgen/webhooks/node';
import { afterAll, expect, test } from 'vitest';
import { serve } from '../support/sockets.ts';
import { secret } from '../webhooks/support.ts';
import { createWorld, receiver } from './receivers.ts';
import { everyType } from './right-receivers.ts';

const inCi = process.env['CI'] === 'true';
const ends: (() => unknown)[] = [];
afterAll(() => Promise.all(ends.map((end) => end())));

const isInstalled = (command: string, argument: string) =>
  spawnSync(command, [argument]).status === 0;
const folder = fileURLToPath(new URL('foreign/', import.meta.url));

/** Starts the receivers of a language once. Resolves to their base URL. */
const languages = {
  Python: startOnce(() => spawnIn('python3', [`${folder}receiver.py`])),
  Go: startOnce(() => {
    const output = mkdtempSync(join(tmpdir(), 'contentgen-'));
    ends.push(() => rmSync(output, { recursive: true, force: true }));
    const program = join(output, 'receiver');
    const source = `${folder}main.go`;
    const built = spawnSync('go', ['build', '-o', program, source], { encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stderr);
    return spawnIn(program, []);
  }),
};

function startOnce(start: () => ChildProcess): () => Promise<string> {
  let url: Promise<string> | undefined;
  const listening = async () => {
    const child = start();
    ends.push(() => child.kill());
    const [line] = (await once(child.stdout as never, 'data')) as [Buffer];
    return `http://127.0.0.1:${`${line}`.trim()}`;
  };
  return () => {
    url ??= listening();
    return url;
  };
}

const spawnIn = (command: string, args: string[]) =>
  spawn(command, [...args, secret], { stdio: ['ignore', 'pipe', 'inherit'] });

const audit = (target: string, effects: () => number | Promise<number>) =>
  auditReceiver(target, {
    // However busy this machine is.
    ...{ secret, standard: true, effects, slowMs: 60_000 },
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 100)),
  });
const failed = ({ results }: Awaited<ReturnType<typeof audit>>) =>
  results.filter(({ ok }) => !ok).map(({ name }) => name);

test('a right receiver on node:http passes over sockets', async () => {
  const world = createWorld();
  const receive = receiver({ handle: everyType })(world);
  const url = await serve(toNodeHandler(async (request) => receive(request)));
  const report = await audit(url, () => world.effects);
  expect(failed(report), String(report)).toEqual([]);
});

/** Outside of CI, the right one in Python stands for all. */
test.each([
  ['Python', 'right', isInstalled('python3', '--version')],
  ['Python', 'reparse', inCi],
  ['Go', 'right', inCi],
] as const)(
  'a receiver in %s is judged rightly: %s',
  async (language, name, runs) => {
    if (!runs) return;
    const target = `${await languages[language]()}/${name}`;
    const report = await audit(target, async () =>
      Number(await (await fetch(`${target}/effects`)).text()),
    );
    expect(report.ok, String(report)).toBe(name === 'right');
    if (name === 'reparse') expect(failed(report).join()).toMatch(/another format|ordinary/);
    else expect(failed(report), String(report)).toEqual([]);
    const slow = report.results.find(({ name }) => name === 'accepts a body that arrives slowly');
    // Python's http.server reads no chunked body.
    if (language === 'Python' && name === 'right') {
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
