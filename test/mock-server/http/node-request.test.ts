import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';

async function open() {
  const mock = createMockServer({ clock: 'manual', seed: 1, onError: () => {} });
  const server = await serve(mock, { port: 0 });
  onTestFinished(async () => {
    await server.close({ graceMs: 0 });
    await mock.close();
  });
  return { mock, server };
}

/** Sends raw bytes and returns everything that comes back until the connection ends or goes quiet. */
function send(port: number, ...parts: (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('close', () => resolve(text));
    socket.once('error', reject);
    for (const part of parts) socket.write(part);
    socket.end();
  });
}

const path = '/api/ai/content/generate';

function head(key: string, ...lines: string[]): string {
  const fixed = ['Host: x', `X-API-Key: ${key}`, 'Content-Type: application/json'];
  return `${[`POST ${path} HTTP/1.1`, ...fixed, ...lines].join('\r\n')}\r\n\r\n`;
}

const chunk = (data: string) => `${Buffer.byteLength(data).toString(16)}\r\n${data}\r\n`;

describe('a request from a socket', () => {
  test('can arrive in chunks, and so can its body', async () => {
    const { mock, server } = await open();
    const start = head(mock.memberKey, 'Transfer-Encoding: chunked', 'Connection: close');
    const parts = [chunk('{"prompt":'), chunk('"Grüße"}'), '0\r\n\r\n'];
    const response = await send(server.port, start, ...parts);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).toContain('"status":"completed"');
  });

  test('of undeclared length is cut off beyond 1 MiB, and the server keeps working', async () => {
    const { mock, server } = await open();
    const start = head(mock.memberKey, 'Transfer-Encoding: chunked');
    const big = chunk('x'.repeat(300_000));
    const response = await send(server.port, start, big, big, big, big, big, '0\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(await send(server.port, `GET /api/usage HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/ 401 /);
  });

  test.each([
    ['declared', 'Content-Length: 100'],
    ['undeclared', 'Transfer-Encoding: chunked'],
  ])('of %s length that breaks off does no harm', async (_, length) => {
    const { mock, server } = await open();
    const begun = length.startsWith('T') ? '5\r\n{"pro' : '{"pro';
    await send(server.port, head(mock.memberKey, length), begun);
    expect(await send(server.port, `GET /api/usage HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/ 401 /);
  });

  test('with the same credential header twice is rejected', async () => {
    const { mock, server } = await open();
    const status = (headers: Record<string, string[]>) =>
      new Promise((resolve, reject) => {
        const sent = request(`${server.url}/api/usage`, { headers, agent: false });
        sent.once('response', (response) => resolve(response.resume().statusCode));
        sent.once('error', reject).end();
      });
    const key = mock.memberKey;
    const token = `Bearer ${await mock.issueToken({ role: 'member' })}`;
    expect(await status({ 'X-API-Key': [key] })).toBe(200);
    expect(await status({ Authorization: [token] })).toBe(200);
    expect(await status({ 'X-API-Key': [key, key] })).toBe(401);
    expect(await status({ Authorization: [token, token] })).toBe(401);
    expect(await status({ Authorization: [token, 'Bearer other'] })).toBe(401);
  });
});
