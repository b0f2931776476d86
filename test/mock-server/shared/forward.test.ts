import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createForwarder } from '../../../mock-server/http/leader/forward.ts';
import { freePort } from '../../support/free-port.ts';

test('a request that waits for a leader leaves nothing behind after each failed try', async () => {
  const leaderUrl = `http://127.0.0.1:${await freePort()}`;
  let tries = 0;
  const forwarder = createForwarder({
    get leading() {
      return tries === 12;
    },
    get leaderUrl() {
      tries += 1;
      return leaderUrl;
    },
    closed: false,
    advertise() {},
    known: () => Promise.resolve(),
    onChange: () => () => {},
  });
  let added: number | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const before = outgoing.listenerCount('close');
    expect(await forwarder.forward(incoming, outgoing)).toBe(false);
    added = outgoing.listenerCount('close') - before;
    outgoing.end();
  });
  onTestFinished(() => {
    forwarder.close();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/usage`);
  expect(added).toBe(0);
});
