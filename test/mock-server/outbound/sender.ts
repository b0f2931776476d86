import { isIPv6 } from 'node:net';
import type { Lookup } from '../../../mock-server/outbound/connections.ts';
import { createOutbound, type OutboundOptions } from '../../../mock-server/outbound/transport.ts';
import { closeAfterwards } from '../../support/sockets.ts';

/** Sends a message over HTTP, and closes its connections after the test. */
export function sender(options: OutboundOptions = {}) {
  const outbound = createOutbound(options);
  closeAfterwards(() => outbound.close());
  return (url: string, signal = new AbortController().signal, headers: object = {}) => {
    const all = { 'content-type': 'application/json', ...headers };
    return outbound.send({ url, headers: all, body: Buffer.from('{}') }, { signal });
  };
}

/** Every name resolves to these addresses. */
export const resolvingTo =
  (...addresses: readonly string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
