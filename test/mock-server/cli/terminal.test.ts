import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attachLog } from '../../../mock-server/cli/log.ts';
import { run } from '../../../mock-server/cli/run.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { serve } from '../../support/sockets.ts';
import { files, read, root } from '../../support/sources.ts';
import { platformUses } from '../../support/syntax.ts';
import { capture } from './capture.ts';

/** Clears the screen, sets the title, moves the cursor, turns the text around, forges a line. */
const HOSTILE = '\u001b[2Jx\u001b]0;owned\u0007\u009b31m\u202egnp.exe\u2028\r\u0000\u001b[32m✓';
const UNPRINTABLE = /[^\n\P{C}]|[\p{Zl}\p{Zp}]/u;

test('a terminal gets printable text only, and no color but its own', () => {
  const { terminal, written } = capture({ FORCE_COLOR: '1' });
  terminal.out(`a ${terminal.paint('red', HOSTILE)} ${HOSTILE}`);
  terminal.err(HOSTILE);
  const [start, ...colored] = written().split('\u001b[');
  expect(colored.map((text) => text.slice(0, 3))).toEqual(['31m', '39m']);
  expect([start, ...colored].join('')).not.toMatch(UNPRINTABLE);
});

/** A service that puts the hostile text in every place of its responses. */
const hostileService = () =>
  serve((request, response) => {
    const key = { id: HOSTILE, status: HOSTILE, role: HOSTILE, hint: HOSTILE, name: HOSTILE };
    const hook = { id: HOSTILE, event: HOSTILE, status: 'disabled', disabledReason: HOSTILE };
    const row = { ...key, ...hook, url: HOSTILE, [HOSTILE]: HOSTILE, count: 1, key: HOSTILE };
    const body = request.url?.includes('/trigger')
      ? [{ id: HOSTILE, url: HOSTILE }]
      : { ...row, code: HOSTILE, detail: HOSTILE, items: [row], data: [row], nextCursor: null };
    response.writeHead(200, { 'content-type': 'application/json', 'x-contentgen-mock': '1' });
    response.end(JSON.stringify(body));
  });

test.each([
  ['trigger', 'usage_threshold', '--url'],
  ['keys', 'list', '--api-key', 'a'.repeat(20), '--url'],
  ['keys', 'create', '--json', '--api-key', 'a'.repeat(20), '--url'],
  ['redeliver', '--since', '1 hour', '--api-key', 'a'.repeat(20), '--url'],
  ['doctor', '--api-key', 'a'.repeat(20), '--url'],
  ['conform', '--api-key', 'a'.repeat(20), '--timeout', '1', '--base-url'],
])(
  'nothing that a service sends reaches the terminal raw: %s %s',
  async (...args) => {
    const { terminal, written } = capture();
    await run([...args, await hostileService()], terminal);
    expect(written()).not.toBe('');
    expect(written()).not.toMatch(UNPRINTABLE);
  },
  60_000,
);

test('nothing that callers and receivers send reaches the lines of contentgen mock raw', async () => {
  const { terminal, written } = capture();
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  attachLog(mock, terminal);
  const path = encodeURIComponent(HOSTILE);
  const url = `https://app.example/${path}?${path}`;
  mock.receivers.set(url, () => new Response(JSON.stringify({ code: HOSTILE }), { status: 400 }));
  const send = (to: string, body: object) =>
    mock.fetch(mock.baseUrl + to, {
      method: 'POST',
      headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await send('/api/webhooks', { event: 'data_updated', url });
  await send('/api/ai/content/generate', { prompt: `[[fail: ${HOSTILE}]]`, webhookUrl: url });
  await send(`/api/${path}`, { [HOSTILE]: HOSTILE });
  mock.trigger('data_updated', { records: 1 });
  await mock.settle();
  await new Promise(setImmediate);
  expect(written()).toContain('data_updated');
  expect(written()).toContain('generation');
  expect(written()).not.toMatch(UNPRINTABLE);
});

test.each<[string, boolean, Record<string, string>, boolean]>([
  ['a terminal', true, {}, true],
  ['a pipe', false, {}, false],
  ['a terminal under NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['a dumb terminal', true, { TERM: 'dumb' }, false],
  ['a terminal under FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
  ['FORCE_COLOR and NO_COLOR', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('colors on %s: %s %j → %s', (_, isTTY, env, colored) => {
  const { paint, paintErr } = capture(env, isTTY).terminal;
  for (const text of [paint('red', 'x'), paintErr('red', 'x')]) {
    expect(text.includes('\u001b')).toBe(colored);
  }
});

/** What writes, or hands a stream on, outside a command; each with its reason. */
const writers: Readonly<Record<string, string>> = {
  'mock-server/cli/index.ts: process.stderr': 'a Node that is too old to load the rest',
  'mock-server/cli/run.ts: process.stdout': 'gives the terminal its streams',
  'mock-server/cli/run.ts: process.stderr': 'gives the terminal its streams',
  'mock-server/create-mock-server.ts: console.error': 'the default of onError',
  'mock-server/create-mock-server.ts: console.warn': 'the default of onWarning',
  'mock-server/msw/node.ts: console.warn': 'the default of onWarning',
  'mock-server/stores/sqlite-file.ts: console.warn': 'the default of onWarning',
  'src/webhooks/node/dispatch.ts: console.error': 'the handler, with its logger, was never reached',
};

test('only the terminal writes to standard output and error, and the console has named users', () => {
  const writing = files('{src,mock-server}/**/*.{ts,tsx}').filter((path) =>
    /process\.std|console/.test(readFileSync(join(root, path), 'utf8')),
  );
  const uses = writing.map(read).flatMap(({ path, tree }) =>
    platformUses(tree)
      .filter((use) => /^(process\.std(out|err)|console)\b/.test(use))
      .map((use) => `${path}: ${use.split('.').slice(0, 2).join('.')}`),
  );
  expect([...new Set(uses)].toSorted()).toEqual(Object.keys(writers).toSorted());
});
