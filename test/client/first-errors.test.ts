import { createServer } from 'node:net';
import { nodeFetch } from 'contentgen/node';
import { Agent } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { type ClientOptions, contentgen } from './support/entry.ts';
import { make, withoutEnvironment } from './support/options.ts';
import { clientOf, problem, recorded, scriptedService } from './support/service.ts';
import { closeAfterwards, closeAll, listen, serve } from './support/sockets.ts';

/** A server that answers every request with these bytes and hangs up. */
const serveBytes = async (bytes: string) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  });
  return `http://127.0.0.1:${await listen(server)}`;
};

async function fail(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const client = new contentgen.ContentGen({
    baseUrl,
    apiKey: 'cg_test_key',
    maxRetries: 0,
    logLevel: 'off',
    ...options,
  });
  const { error } = await client.usage.get().safe();
  if (!error) throw new Error('The call did not fail.');
  return error;
}

const both = [
  ["Node's fetch", () => undefined],
  [
    'nodeFetch',
    () => {
      const fetch = nodeFetch({ proxy: false });
      closeAfterwards(() => fetch.close());
      return fetch;
    },
  ],
] as const;

describe.each(both)('over %s', (_, transport) => {
  test('a local address where nothing listens: how to start a mock', async () => {
    const url = await serve(() => {});
    await closeAll();
    const address = url.replace('127.0.0.1', 'localhost');
    const { message } = await fail(address, { fetch: transport() });
    expect(message).toMatch(/refused.*Nothing listens there.*start it with npx contentgen mock/);
  });

  test('https where no TLS is spoken: use http', async () => {
    const url = await serve((_, response) => response.end('{}'));
    const error = await fail(url.replace('http:', 'https:'), { fetch: transport() });
    expect(error).toMatchObject({ reason: 'tls' });
    expect(error.message).toContain('use http:// in baseUrl');
  });

  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n';
  test.each([
    ['not HTTP', 'nonsense\r\n\r\n', /does not match the HTTP\/1\.1 protocol/],
    [
      'in broken chunks',
      `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\nzz\r\n`,
      /chunk size/,
    ],
    [
      'not the gzip that it claims to be',
      `${head}content-encoding: gzip\r\ncontent-length: 7\r\n\r\n{"a":1}`,
      /incorrect header check/,
    ],
  ])('a response that is %s is corrupt, not reset', async (_, bytes, said) => {
    const error = await fail(await serveBytes(bytes), { fetch: transport() });
    expect(error).toMatchObject({ code: 'connection_failed', reason: 'corrupt' });
    expect(error.message).toMatch(said);
  });

  test('a response that breaks off was reset', async () => {
    const url = await serveBytes(`${head}content-length: 99\r\n\r\n{"a`);
    const error = await fail(url, { fetch: transport() });
    expect(error).toMatchObject({ name: 'ConnectionError', reason: 'reset' });
    expect(error.message).toMatch(/before the whole response arrived/);
  });
});

test('401 from this machine says that the keys of a mock are new after each start', async () => {
  const unauthorized = problem(401, 'invalid_api_key');
  const url = await serve((_, response) =>
    response.writeHead(401, unauthorized.headers).end(JSON.stringify(unauthorized.json)),
  );
  const { message } = await fail(url);
  expect(message).toMatch(/new keys after each start.*npx contentgen keys create/);
  const service = scriptedService();
  service.script(unauthorized);
  const elsewhere = await fail('https://api.example.com', { fetch: service.fetch });
  expect(elsewhere.message).not.toContain('mock');
});

test('404 below /api/api says that baseUrl has one /api too many', async () => {
  const url = await serve((_, response) => response.writeHead(404).end());
  const { message } = await fail(`${url}/api`);
  expect(message).toContain('Remove /api from the end of baseUrl');
  expect((await fail(url)).message).not.toContain('Remove /api');
});

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

describe('an option', () => {
  withoutEnvironment();

  test.each([
    [{ baseUrl: 'localhost:4010' }, /'localhost:4010'\. Did you mean 'http:\/\/localhost:4010'\?/],
    [{ baseUrl: 'api.example.com/v2' }, /'api\.example\.com\/v2'\. Did you mean/],
    [{ baseUrl: 'https://u:secret@a.example?key=secret' }, /received 'https:\/\/a\.example'\.$/],
    [{ baseUrl: 'cg_live_secret' }, /received a string\.$/],
    [{ logLevel: 'verbose' }, /one of debug, info, warn, error, off; received 'verbose'\.$/],
    [{ logLevel: 'cg_live_secret' }, /received a string\.$/],
  ])('%j is shown, unless it can be secret', (options, said) => {
    const create = () => make({ baseUrl: 'https://a.example', apiKey: 'k', ...options });
    expect(create).toThrow(said);
    expect(create).not.toThrow(/secret/);
  });

  test('is not missed on Node 18, which lacks crypto: the error names the version', async () => {
    vi.stubGlobal('crypto', undefined);
    vi.stubGlobal('process', { ...process, versions: { node: '18.20.8' } });
    const { client } = clientOf(scriptedService());
    await expect(client.apiKeys.create()).rejects.toThrow(
      'contentgen needs Node 20.19 or later; this is Node 18.20.8.',
    );
  });
});

test('a clock that is an hour wrong is one warning for all copies of a client', async () => {
  let date = new Date(Date.now() - 3_600_000);
  const url = await serve((_, response) =>
    response.setHeader('date', date.toUTCString()).end('{}'),
  );
  const lookup = (_: unknown, __: unknown, found: (...result: unknown[]) => void) =>
    found(null, [{ address: '127.0.0.1', family: 4 }]);
  const dispatcher = new Agent({ connect: { lookup } as object });
  closeAfterwards(() => dispatcher.close());
  const warnings = async () => {
    const { lines, logger } = recorded();
    const client = make({
      baseUrl: url.replace('127.0.0.1', 'api.example.com'),
      apiKey: 'k',
      fetch: nodeFetch({ dispatcher }),
      logger,
    });
    await client.usage.get();
    await client.withOptions({ maxRetries: 0 }).usage.get();
    return lines.map(({ message }) => message);
  };
  expect(await warnings()).toEqual([
    'contentgen: the clock of this machine is 60 min ahead of that of the service',
  ]);
  date = new Date();
  expect(await warnings()).toEqual([]);
});

test("the service's own code 'aborted' does not say that a signal was aborted", async () => {
  const service = scriptedService();
  service.script(problem(422, 'aborted', { detail: 'no' }));
  const error = await fail('https://api.example.com', { fetch: service.fetch });
  expect(error).toBeInstanceOf(contentgen.ValidationError);
  expect(error.message).not.toContain('signal');
});
