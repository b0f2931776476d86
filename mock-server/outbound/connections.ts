import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { classifyAddress, isReachable } from '../domain/address-policy.ts';
import type { UrlPolicy } from '../domain/url-policy.ts';
import { AddressError } from './failure.ts';
import { type Connections, trackReuse } from './post.ts';

export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ConnectionOptions extends Pick<UrlPolicy, 'allowPrivate'> {
  /** Resolves names. @default the system's resolver */
  readonly lookup?: Lookup;
  /** More certificate authorities to trust, in PEM. @default none */
  readonly ca?: string;
}

const CONNECT_TIMEOUT_MS = 15_000;

/** Undefined on a platform without sockets, such as a browser. */
export async function openConnections(
  options: ConnectionOptions,
): Promise<Connections | undefined> {
  const undici = await import('undici').catch(() => undefined);
  if (!undici) return undefined;
  const { Agent, Client, Pool } = undici;
  const settings = {
    connect: { lookup: checkedLookup(options), ...(options.ca && { ca: options.ca }) },
    connectTimeout: CONNECT_TIMEOUT_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin: string | URL, given: object) =>
      new Pool(origin, { ...given, factory: (url, own) => trackReuse(new Client(url, own)) }),
  };
  return { kept: new Agent(settings), fresh: new Agent({ ...settings, pipelining: 0 }) };
}

/**
 * Resolves a name for a connection that is being opened. A name with one forbidden address is refused as a whole.
 *
 * There is no second lookup, which could return other addresses (DNS rebinding).
 */
function checkedLookup({
  allowPrivate = false,
  lookup = systemLookup,
}: ConnectionOptions): LookupFunction {
  async function resolve(hostname: string): Promise<readonly LookupAddress[]> {
    const addresses = await lookup(hostname).catch((error: { code?: unknown }) => {
      throw unresolved(hostname, error.code);
    });
    if (addresses.length === 0) throw unresolved(hostname);
    const isAllowed = addresses.every(({ address }) =>
      hostname === 'localhost'
        ? classifyAddress(address) === 'loopback'
        : isReachable(address, allowPrivate),
    );
    if (isAllowed) return addresses;
    // The address is not named: what a name resolves to inside this network must not be disclosed.
    const reason = `${hostname} resolves to an address that deliveries must not go to.`;
    throw new AddressError('refused_address', reason);
  }

  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      ([first, ...others]) => {
        if (all && first) callback(null, [first, ...others]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

function unresolved(hostname: string, code?: unknown): AddressError {
  const detail = typeof code === 'string' && /^[A-Z_]+$/.test(code) ? ` (${code})` : '';
  return new AddressError('dns', `The name ${hostname} does not resolve${detail}.`);
}

/** The system's resolver: every address of a name, in the order the system returns them. */
const systemLookup: Lookup = (hostname) =>
  process.getBuiltinModule('node:dns').promises.lookup(hostname, { all: true });
