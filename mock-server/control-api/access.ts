export interface Visitor {
  readonly peer: string | undefined;
  readonly headers: Pick<Headers, 'get'>;
}

const HOST = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;
const LOOPBACK_V4 = /^127(?:\.\d{1,3}){3}$/;
const OTHER_ORIGIN = 'Pages of another origin cannot use the control API. Call it from a server.';

/**
 * Returns why a caller cannot use the control API, or undefined. It also keeps web pages out, because they can fake
 * neither the `Host` (DNS rebinding) nor the `Origin`.
 */
export function findAccessError({ peer, headers }: Visitor): string | undefined {
  if (peer === undefined || !isLoopbackAddress(peer)) {
    return 'Only this machine can use the control API. Start the server with --control-token to open it to others.';
  }
  const name = HOST.exec(headers.get('host') ?? '')?.groups?.['name']?.toLowerCase();
  if (name === undefined || !isLoopbackName(name)) {
    return 'The Host header names another host. Call localhost or 127.0.0.1, or start the server with --control-token.';
  }
  return findOriginError(headers);
}

/** Returns why a page cannot use the control API, or undefined. A browser sets these headers; pages cannot. */
function findOriginError(headers: Visitor['headers']): string | undefined {
  const host = headers.get('host') ?? '';
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${host}` && origin !== `https://${host}`) {
    return OTHER_ORIGIN;
  }
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return OTHER_ORIGIN;
  return undefined;
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || LOOPBACK_V4.test(address.replace(/^::ffff:/i, ''));
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || LOOPBACK_V4.test(name);
}
