import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { MockServerOptions } from '../../../mock-server/composition/options.ts';
import { createMockServer } from '../../../mock-server/create-mock-server.ts';
import { type ServeOptions, serve } from '../../../mock-server/http/serve.ts';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { sendRaw } from '../../support/send-raw.ts';
import { closeAfterwards } from '../../support/sockets.ts';
import { endless } from './endless.ts';

async function served(options: ServeOptions = {}, mockOptions: MockServerOptions = {}) {
  const mock = createMockServer({ clock: 'manual', ...mockOptions });
  const server = await serve(mock, { port: 0, ...options });
  closeAfterwards(async () => {
    await server.close({ graceMs: 50 });
    await mock.close();
  });
  const call = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { 'X-API-Key': mock.adminKey, ...init.headers } });
  const generate = (body: object) =>
    call('/api/ai/content/generate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { mock, server, call, generate };
}

test('port 0 picks a free port, and a port in use is EADDRINUSE', async () => {
  const { server } = await served();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  await expect(serve(createMockServer(), { port: server.port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

test('without a host, no other address of this machine leads to it', async () => {
  const { server } = await served();
  await expect(fetch(`http://127.0.0.2:${server.port}/health`)).rejects.toThrow('fetch failed');
  const { server: open } = await served({ host: '0.0.0.0' });
  expect((await fetch(`http://127.0.0.1:${open.port}/health`)).status).toBe(200);
});

test.each([
  ['::1', '[::1]'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])('listening on %s returns the URL of %s, which can be called', async (host, reachable) => {
  const { server, call } = await served({ host });
  expect(server.url).toBe(`http://${reachable}:${server.port}`);
  expect((await call('/api/usage')).status).toBe(200);
});

test('closing lets a request in flight finish and accepts no more', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const generator = async function* () {
    await gate;
    yield 'late';
  };
  const { server, generate, call } = await served({}, { generator });
  const inFlight = generate({ prompt: 'slow' });
  await expect
    .poll(async () => (await (await call('/api/ai/content/generate')).json()).data.length)
    .toBe(1);
  const closing = server.close();
  release();
  expect((await inFlight).status).toBe(200);
  await closing;
  await expect(call('/api/usage')).rejects.toThrow();
});

test('a stream that never ends is ended after the grace period', async () => {
  const { server, generate } = await served({}, { generator: endless });
  const { body } = await generate({ prompt: 'p', stream: true });
  const reading = Array.fromAsync(body as ReadableStream);
  await server.close({ graceMs: 20 });
  await expect(reading).rejects.toThrow();
});

test('a body without a declared length is counted as it arrives', async () => {
  const { server, mock } = await served();
  const chunk = 'x'.repeat(64 * 1024);
  // One byte beyond the limit and never ended, so that everything is read by the time the response arrives.
  const body = `${`${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(16)}1000\r\nx`;
  const head = `POST /api/ai/content/generate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${mock.adminKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
  expect(await sendRaw(server.port, head + body)).toMatch(/^HTTP\/1\.1 413 /);
});

test('a caller that disconnects in the middle of its body has ended its request', async () => {
  const { server, mock } = await served();
  await new Promise<void>((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(
        `POST /api/ai/content/generate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${mock.adminKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"prom`,
        () => setTimeout(() => socket.destroy(), 20),
      );
    });
    socket.on('close', () => resolve());
  });
  await expect.poll(() => mock.requests()).toMatchObject([{ status: 400 }]);
});

test('/health is ok without credentials, and 503 while changes cannot be saved', async () => {
  let full = false;
  const flushed = () => (full ? Promise.reject(new Error('disk full')) : undefined);
  const { server } = await served({}, { store: { ...memoryStore(), flushed } });
  const health = async () => {
    const response = await fetch(`${server.url}/health`);
    return [response.status, await response.json()];
  };
  expect(await health()).toEqual([200, { status: 'ok', uptimeSeconds: expect.any(Number) }]);
  full = true;
  expect(await health()).toEqual([503, expect.objectContaining({ status: 'unavailable' })]);
});
