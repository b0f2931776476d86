import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createErrorLog } from '../../../mock-server/cli/error-log.ts';
import type { LogFormat } from '../../../mock-server/cli/log.ts';
import { DataFileError } from '../../../mock-server/http/serve.ts';
import { command, startMock } from './command.ts';
import { canMount, mountSmallDisk } from './small-disk.ts';

/** A log whose disk is full until told otherwise; `pass` lets that many seconds pass. */
function setUp(format: LogFormat) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const plain = (_: string, text: string) => text;
  const terminal = { out() {}, err: (line: string) => void lines.push(line), env: {} };
  const disk = { full: true };
  const flushed = () => (disk.full ? Promise.reject(new Error('full')) : undefined);
  const log = createErrorLog(format, { ...terminal, paint: plain, paintErr: plain }, flushed);
  const unsaved = (reason: string) => new DataFileError('unsaved', `Failed to save: ${reason}.`);
  return { lines, disk, log, unsaved, pass: (s: number) => vi.advanceTimersByTimeAsync(s * 1000) };
}

test('a full disk is reported once, and once more when saving works again', async () => {
  const { lines, disk, log, unsaved, pass } = setUp('text');
  for (let times = 0; times < 3; times += 1) log(unsaved('full'));
  await pass(60);
  log(unsaved('full'));
  expect(lines).toEqual(['contentgen mock: Failed to save: full.']);
  disk.full = false;
  await pass(1);
  await pass(60);
  log(unsaved('full'));
  expect(lines.slice(1)).toEqual([
    'contentgen mock: Saving works again; every change is saved.',
    'contentgen mock: Failed to save: full.',
  ]);
  expect(vi.getTimerCount()).toBe(1);
});

test('another reason is reported too, and other errors always are', async () => {
  const { lines, disk, log, unsaved, pass } = setUp('json');
  for (const reason of ['full', 'full', 'read-only', 'read-only']) log(unsaved(reason));
  log(new Error('boom'));
  log(new Error('boom'));
  disk.full = false;
  await pass(1);
  expect(
    lines.map((line) => JSON.parse(line)).map(({ event, message }) => [event, message]),
  ).toEqual([
    ['error', 'Failed to save: full.'],
    ['error', 'Failed to save: read-only.'],
    ['error', 'boom'],
    ['error', 'boom'],
    ['saved', 'Saving works again; every change is saved.'],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test.runIf(canMount())('a real disk that is full, and then not', async () => {
  const disk = mountSmallDisk(2);
  if (!disk) expect.fail('not mounted');
  onTestFinished(() => disk.remove());
  const { mock, stderr, errLine, child, ended } = await startMock([
    ...['--data', join(disk.path, 'mock.db'), '--log', 'none', '--processing-time', '0'],
  ]);
  const generate = async (prompt: string) => {
    const response = await fetch(`${mock.url}/api/ai/content/generate`, {
      method: 'POST',
      headers: { 'x-api-key': String(mock.memberKey), 'content-type': 'application/json' },
      body: JSON.stringify({ prompt }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const filler = join(disk.path, 'filler');
  expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow('ENOSPC');
  while ((await generate('x'.repeat(5000))) !== 503);
  for (let times = 0; times < 5; times += 1) expect(await generate('again')).toBe(503);
  expect(stderr().trim().split('\n')).toEqual([
    expect.stringMatching(/^contentgen mock: Failed to save to \S+: database or disk is full\./),
  ]);
  rmSync(filler);
  expect(await errLine(/again/)).toBe(
    'contentgen mock: Saving works again; every change is saved.',
  );
  expect(await generate('fine')).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(stderr().trim().split('\n')).toHaveLength(2);
  expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow('ENOSPC');
  for (const name of ['mock.db', 'new.db']) {
    const refused = await command(['mock', '--port', '0', '--data', join(disk.path, name)]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`${name}: its disk is full. Free up space on it, then start again.`),
    ]);
  }
});
