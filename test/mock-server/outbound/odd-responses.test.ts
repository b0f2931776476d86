import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { closeAfterwards, listen } from '../../support/sockets.ts';
import { sender } from './sender.ts';

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** A receiver on bare sockets; the listener gets each request with its number on that connection. */
async function receiver(onRequest: (socket: Socket, nth: number) => unknown) {
  const requests: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    let nth = 0;
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      requests.push(data.toString('latin1'));
      nth += 1;
      onRequest(socket, nth);
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}/hook`;
  closeAfterwards(() => sockets.map((socket) => socket.destroy()));
  const deliver = sender();
  let messages = 0;
  const send = () => {
    messages += 1;
    return deliver(url, undefined, { 'webhook-id': `msg_${messages}` });
  };
  const idOf = (request: string) => /webhook-id: (\w+)/.exec(request)?.[1];
  return { send, sockets, ids: () => requests.map(idOf) };
}

const respondWith = (text: string) => (socket: Socket) => socket.write(text);

describe('odd responses', () => {
  test('a 204 that announces a body counts as the success it is', async () => {
    const announced = 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello';
    const { send } = await receiver(respondWith(announced));
    expect(await send()).toMatchObject({ status: 204, snippet: '' });
  });

  test.each<[what: string, react: (socket: Socket) => unknown]>([
    ['closes its new connection', (socket) => socket.destroy()],
    ['resets it', (socket) => socket.resetAndDestroy()],
    [
      'breaks off a body',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    ],
  ])('a receiver that %s fails the attempt, sent once', async (_, react) => {
    const { send, ids } = await receiver(react);
    const reason = expect.stringContaining('closed the connection');
    for (let n = 0; n < 2; n += 1) expect(await send()).toEqual({ error: 'reset', reason });
    expect(ids()).toEqual(['msg_1', 'msg_2']);
  });

  test.each<[what: string, text: string, reason?: string]>([
    ['no HTTP', 'nonsense\r\n\r\n', 'The response is not valid HTTP/1.1.'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1 << 20)}\r\n\r\n`],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nok'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nok\r\n'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'The receiver switched to another protocol.',
    ],
  ])('%s is a failed attempt, sent once', async (_, text, reason = '') => {
    const { send, ids } = await receiver(respondWith(text));
    const why = expect.stringContaining(reason);
    expect(await send()).toEqual({ error: 'connection', reason: why });
    expect(ids()).toEqual(['msg_1']);
  });
});

describe('idle connections that end as they are reused', () => {
  test('a message that fails on every connection is sent twice, however many are idle', async () => {
    let deadly = false;
    const { send, ids, sockets } = await receiver((socket) => {
      if (deadly) socket.destroy();
      else socket.write(ok);
    });
    await Promise.all(Array.from({ length: 20 }, send));
    expect(sockets.length).toBeGreaterThan(5);
    deadly = true;
    expect(await send()).toMatchObject({ error: 'reset' });
    expect(ids().slice(20)).toEqual(['msg_21', 'msg_21']);
  });

  test('a message is not sent again after an invalid response on a reused connection', async () => {
    const { send, ids } = await receiver((socket, nth) => {
      socket.write(nth === 1 ? ok : 'nonsense\r\n\r\n');
    });
    const outcomes: unknown[] = [];
    for (let n = 0; n < 4; n += 1) outcomes.push(await send());
    expect(outcomes).toContainEqual(expect.objectContaining({ error: 'connection' }));
    expect(ids()).toEqual(['msg_1', 'msg_2', 'msg_3', 'msg_4']);
  });
});
