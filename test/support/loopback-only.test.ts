import { spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { takePrevented } from './loopback-only.mjs';

beforeEach(() => {
  // Otherwise the run would fail because of what is tried here.
  vi.stubEnv('CONTENTGEN_PREVENTED', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const otherwise = (name: string, _: unknown, callback: (...args: unknown[]) => void) =>
  callback(null, [{ address: name.startsWith('6') ? '2001:db8::1' : '192.0.2.2', family: 4 }]);

test.each<[string, () => Promise<unknown>, string]>([
  ['an IPv4 address', () => once(connect(80, '192.0.2.1'), 'connect'), '192.0.2.1 port 80'],
  [
    'an IPv6 address, over TLS',
    () => once(connectTls({ host: '2001:db8::1', port: 443 }), 'secureConnect'),
    '2001:db8::1 port 443',
  ],
  [
    'a name that a look-up of its own resolves',
    () => once(connect({ host: 'a.test', port: 80, lookup: otherwise as never }), 'connect'),
    'a.test, which is 192.0.2.2',
  ],
  ['fetch of an address', () => fetch('http://192.0.2.3:8080/'), '192.0.2.3 port 8080'],
  ['fetch of a name', () => fetch('https://www.npmjs.com/'), 'the resolver, for www.npmjs.com'],
  [
    'a datagram',
    async () => {
      const socket = dgram.createSocket('udp4');
      onTestFinished(() => void socket.close());
      socket.send('text', 53, '192.0.2.4');
    },
    '192.0.2.4 over UDP',
  ],
])('a test cannot reach %s', async (_, attempt, target) => {
  await expect(attempt()).rejects.toThrow();
  expect(takePrevented()).toEqual([expect.stringContaining(target)]);
});

test('this machine can be reached by address, by name and by path', async () => {
  for (const host of ['127.0.0.1', 'localhost']) {
    const server = createServer((socket) => socket.end()).listen(0, host);
    await once(server, 'listening');
    await once(connect((server.address() as AddressInfo).port, host), 'connect');
    server.close();
  }
  const path = join(tmpdir(), `contentgen-${process.pid}-loopback.sock`);
  const server = createServer((socket) => socket.end()).listen(path);
  await once(server, 'listening');
  await once(connect(path), 'connect');
  server.close();
});

test('a name reserved for examples is unknown, without asking a resolver', async () => {
  await expect(fetch('https://nothing.test/')).rejects.toMatchObject({
    cause: { code: 'ENOTFOUND' },
  });
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
