import { connect, createServer, type Socket } from 'node:net';
import { createMockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { mswHandlers } from 'contentgen/mock/msw';
import { setupServer } from 'msw/node';
import { onTestFinished } from 'vitest';
import { createFetch } from '../../../mock-server/api/create-fetch.ts';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import type { Break } from '../../client/support/cut-body.ts';
import { generator } from '../../client/support/generated-text.ts';
import { cutsOnce, cutting, type Door, type OpenDoor } from './cuts.ts';

/** The ways from a client in Node to a mock. */
export const doors: Readonly<Record<string, OpenDoor>> = {
  async 'through mock.fetch'(how) {
    const mock = openMock();
    const { baseUrl } = mock;
    const { handle } = internalsOf(cutting(mock, how));
    return { mock, options: { baseUrl, fetch: createFetch(handle, () => false) } };
  },
  async 'through MSW'(how) {
    const mock = openMock();
    const server = setupServer(...mswHandlers(cutting(mock, how)));
    server.listen();
    onTestFinished(() => server.close());
    return { mock, options: { baseUrl: mock.baseUrl } };
  },
  'over a socket with fetch': overSocket,
};

function openMock() {
  const mock = createMockServer({ generator });
  onTestFinished(() => mock.close());
  return mock;
}

async function overSocket(how: Break): Promise<Door> {
  const mock = openMock();
  const served = await serve(mock, { port: 0, dashboard: false });
  onTestFinished(() => served.close({ graceMs: 0 }));
  const { baseUrl, sent } = await cuttingProxy(served.port, how);
  return { mock, options: { baseUrl }, sent };
}

/** Passes bytes on between clients and a port, and cuts responses, also within their heads. */
async function cuttingProxy(port: number, how: Break) {
  const limitOf = cutsOnce();
  const sent: Uint8Array[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    let left: number | undefined;
    near.on('data', (bytes) => {
      const [, key] = /^idempotency-key: (.*)\r$/im.exec(bytes.toString('latin1')) ?? [];
      left = limitOf(key) ?? left;
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (left === undefined) {
        sent.push(bytes);
        near.write(bytes);
        return;
      }
      near.write(bytes.subarray(0, left));
      left = Math.max(0, left - bytes.length);
      // A reset at once would drop the bytes that are on their way.
      if (left === 0 && how === 'is reset') setTimeout(() => near.resetAndDestroy(), 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port: own } = server.address() as { port: number };
  return { baseUrl: `http://127.0.0.1:${own}`, sent: () => Buffer.concat(sent) };
}
