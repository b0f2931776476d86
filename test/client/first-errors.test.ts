import { createServer } from 'node:net';
import type { ClientOptions } from 'contentgen';
import * as contentgen from 'contentgen';
import { describe, expect, test } from 'vitest';
import { closeAll, listen, serve } from '../support/sockets.ts';

/** A server that answers every request with these bytes and hangs up. */
const serveBytes = async (bytes: string) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  });
  return `http://127.0.0.1:${await listen(server)}`;
};

async function fail(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const given = { baseUrl, apiKey: 'cg_test_key', maxRetries: 0, logLevel: 'off' } as const;
  const { error } = await new contentgen.ContentGen({ ...given, ...options }).usage.get().safe();
  if (!error) throw new Error('The call did not fail.');
  return error;
}

describe("over Node's fetch", () => {
  test('a local address where nothing listens was refused', async () => {
    const url = await serve(() => {});
    await closeAll();
    const { message } = await fail(url.replace('127.0.0.1', 'localhost'));
    expect(message).toMatch(/The connection to localhost:\d+ failed: it was refused/);
  });

  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n';
  test.each([
    ['not HTTP', 'nonsense\r\n\r\n', /does not match the HTTP\/1\.1 protocol/],
    [
      'not the gzip that it claims to be',
      `${head}content-encoding: gzip\r\ncontent-length: 7\r\n\r\n{"a":1}`,
      /incorrect header check/,
    ],
  ])('a response that is %s is corrupt, not reset', async (_, bytes, said) => {
    const error = await fail(await serveBytes(bytes));
    expect(error).toMatchObject({ code: 'connection_failed', reason: 'corrupt' });
    expect(error.message).toMatch(said);
  });

  test('a response that breaks off was reset', async () => {
    const url = await serveBytes(`${head}content-length: 99\r\n\r\n{"a`);
    const error = await fail(url);
    expect(error).toMatchObject({ name: 'ConnectionError', reason: 'reset' });
    expect(error.message).toMatch(/before the whole response arrived/);
  });
});

test.each(['/api', '/v2/api/ai/content/generate'])(
  '404 below a baseUrl that ends in %s says what to remove from it',
  async (path) => {
    const url = await serve((_, response) => response.writeHead(404).end());
    const { message } = await fail(url + path);
    expect(message).toContain('Remove /api and all that follows from baseUrl');
    expect((await fail(url)).message).not.toContain('Remove /api');
  },
);

test.each([
  ['timeout', { timeout: 20 }],
  ['idleTimeout', { idleTimeout: 20 }],
  ['deadline', { deadline: 20 }],
])('a TimeoutError names its limit: %s', async (name, options) => {
  const error = await fail(
    await serve((_, response) => response.writeHead(200).write('{')),
    options,
  );
  expect(error).toBeInstanceOf(contentgen.TimeoutError);
  expect(error.message).toContain('(20 ms)');
  expect(error.message).toContain(`\`${name}\``);
});
