export interface Visitor {
  readonly peer: string | undefined;
  readonly headers: Pick<Headers, 'get'>;
}

/** `false`: only this machine. `true`: any peer that calls `localhost` or an IP address. A list: those host names too. */
export type Exposure = boolean | readonly string[];

const HOST = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const OTHER_ORIGIN = 'Pages of another origin cannot use the control API. Call it from a server.';

/**
 * Returns why a caller cannot use the control API, or undefined. It also keeps web pages out, because they can fake
 * neither the `Host` (DNS rebinding) nor the `Origin`.
 */
export function findAccessError(visitor: Visitor, exposure: Exposure): string | undefined {
  const { peer, headers } = visitor;
  if (!exposure && !(peer !== undefined && isLoopbackAddress(peer))) {
    return 'Only this machine can use the control API. Start the server with --expose-control to open it to others.';
  }
  const host = headers.get('host') ?? '';
  const name = HOST.exec(host)?.groups?.['name']?.toLowerCase();
  if (name === undefined || !isKnownName(name, exposure)) {
    return 'The Host header names another host. Call localhost or an IP address, or start the server with --expose-control=NAME.';
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

function isKnownName(name: string, exposure: Exposure): boolean {
  if (isLoopbackName(name)) return true;
  if (!exposure) return false;
  if (IPV4.test(name) || name.startsWith('[')) return true;
  return exposure !== true && exposure.some((known) => known.toLowerCase() === name);
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return address === '::1' || (IPV4.test(plain) && plain.startsWith('127.'));
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (IPV4.test(name) && name.startsWith('127.'));
}
