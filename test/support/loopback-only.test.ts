import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { takePrevented } from './loopback-only.mjs';

beforeEach(() => {
  // Otherwise the run would fail because of what is tried here.
  vi.stubEnv('CONTENTGEN_PREVENTED', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test.each<[string, () => Promise<unknown>, string]>([
  ['an IPv4 address', () => once(connect(80, '192.0.2.1'), 'connect'), '192.0.2.1 port 80'],
  ['fetch of a name', () => fetch('https://www.npmjs.com/'), 'the resolver, for www.npmjs.com'],
])('a test cannot reach %s', async (_, attempt, target) => {
  await expect(attempt()).rejects.toThrow();
  expect(takePrevented()).toEqual([expect.stringContaining(target)]);
});

test('an attempt of a program that a test starts is recorded with the name of the test', async () => {
  const file = join(tmpdir(), `contentgen-${process.pid}-prevented.txt`);
  onTestFinished(() => rmSync(file));
  vi.stubEnv('CONTENTGEN_PREVENTED', file);
  spawnSync(process.execPath, ['-e', "fetch('http://192.0.2.5/').catch(() => {})"]);
  expect(readFileSync(file, 'utf8')).toMatch(
    /192\.0\.2\.5 port 80\. .* \(test\/support\/loopback-only\.test\.ts > an attempt of a program/,
  );
});
