/** What decides whether the control plane answers. */
export interface Visitor {
  /** Address of the socket's other end. */
  readonly peer: string | undefined;
  readonly headers: Pick<Headers, 'get'>;
}

/** `true`: `localhost` and IP literals; a list: those names as well. */
export type Exposure = boolean | readonly string[];

const HOST = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return address === '::1' || (IPV4.test(plain) && plain.startsWith('127.'));
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || (IPV4.test(name) && name.startsWith('127.'));
}

function isKnownName(name: string, exposure: Exposure): boolean {
  if (isLoopbackName(name)) return true;
  if (!exposure) return false;
  if (IPV4.test(name) || name.startsWith('[')) return true;
  return exposure !== true && exposure.some((known) => known.toLowerCase() === name);
}

/**
 * Why a visitor may not reach the control plane, or undefined. A page that a browser shows can send neither a
 * foreign `Host` (DNS rebinding) nor a foreign `Origin` past it.
 */
export function refusalOf(visitor: Visitor, exposure: Exposure): string | undefined {
  const { peer, headers } = visitor;
  if (!exposure && !(peer !== undefined && isLoopbackAddress(peer))) {
    return 'Only this machine may use it. Start the server with --expose-control to open it to others.';
  }
  const host = headers.get('host') ?? '';
  const name = HOST.exec(host)?.groups?.['name']?.toLowerCase();
  if (name === undefined || !isKnownName(name, exposure)) {
    return 'The Host header names another host. Use localhost or an address, or --expose-control=NAME.';
  }
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${host}` && origin !== `https://${host}`) {
    return 'Pages of another origin may not use it.';
  }
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') {
    return 'Pages of another origin may not use it.';
  }
  return undefined;
}
