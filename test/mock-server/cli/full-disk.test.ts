import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ContentGen } from '../../../src/index.ts';
import { command, startMock } from './command.ts';
import { canMount, mountSmallDisk } from './small-disk.ts';

test.runIf(canMount())('a real disk that is full, and then not', async () => {
  const disk = mountSmallDisk(2);
  if (!disk) expect.fail('not mounted');
  onTestFinished(() => disk.remove());
  const { mock, stderr, child, ended } = await startMock([
    ...['--data', join(disk.path, 'mock.db'), '--log', 'none'],
  ]);
  const client = new ContentGen({ baseUrl: mock.url, apiKey: `${mock.memberKey}`, maxRetries: 0 });
  const generate = async (prompt: string) => {
    const generated = await client.content.generate({ prompt }).safe();
    return generated.ok ? 200 : Object(generated.error).status;
  };
  const filler = join(disk.path, 'filler');
  expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow('ENOSPC');
  while ((await generate('x'.repeat(5000))) !== 503);
  for (let times = 0; times < 5; times += 1) expect(await generate('again')).toBe(503);
  expect(stderr().trim().split('\n')).toEqual([
    expect.stringMatching(/^contentgen mock: Failed to save to \S+: database or disk is full\./),
  ]);
  rmSync(filler);
  expect(await generate('fine')).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(stderr().trim().split('\n')).toHaveLength(1);
  expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow('ENOSPC');
  for (const name of ['mock.db', 'new.db']) {
    const refused = await command(['mock', '--port', '0', '--data', join(disk.path, name)]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`${name}: its disk is full. Free up space on it, then start again.`),
    ]);
  }
});
