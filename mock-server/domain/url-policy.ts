import { type AllowedNetworks, classifyAddress, isReachable } from './address-policy.ts';
import type { Context } from './context.ts';
import { type Rejection, rejectField } from './rejection.ts';

/** How strictly callback URLs are checked. */
export interface UrlPolicy {
  /** Reject `http:` even on loopback. @default false */
  readonly strictHttps?: boolean;
  /** Accept these private and loopback addresses, and `http:` for any address. @default false */
  readonly allowPrivate?: AllowedNetworks;
  /** Accept loopback addresses as written, unlike the other private ones. @default true */
  readonly allowLoopback?: boolean;
}

/** The URL to send to, or why it is not allowed. */
export type UrlVerdict =
  | { readonly ok: true; readonly url: URL; readonly loopback: boolean }
  | {
      readonly ok: false;
      readonly code: 'invalid_url' | 'scheme' | 'credentials' | 'address' | 'loopback';
      readonly message: string;
    };

const maxLength = 2048;
// The URL parser silently drops or rewrites these, so such a URL is probably not what was meant.
const rewritten = /[\p{Cc}\p{Z}\\]/u;

/**
 * Checks scheme, credentials and literal addresses of a callback URL, without resolving names.
 *
 * A name is checked at each attempt, once its addresses are known.
 */
export function checkCallbackUrl(raw: string, policy: UrlPolicy = {}): UrlVerdict {
  const { strictHttps = false, allowPrivate = false, allowLoopback = true } = policy;
  if (raw.length > maxLength || rewritten.test(raw)) return invalid('invalid_url');
  const url = parse(raw);
  if (!url?.hostname) return invalid('invalid_url');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return invalid('scheme');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(raw)?.[1];
  if (authority === undefined) return invalid('invalid_url');
  if (url.username || url.password || authority.includes('@')) return invalid('credentials');

  const host = authority.replace(/:\d*$/, '').toLowerCase();
  const literal = literalOf(url.hostname);
  const kind = literal === undefined ? undefined : classifyAddress(literal);
  const loopback = isLoopbackAsWritten(host, url.hostname, kind);
  if (url.protocol === 'http:' && (strictHttps || !(loopback || allowPrivate !== false))) {
    return invalid('scheme');
  }
  const address = literal ?? (loopback ? '127.0.0.1' : undefined);
  const isAllowed = address === undefined || isReachable(address, allowPrivate);
  if (loopback && !allowLoopback && !isAllowed) return invalid('loopback');
  if (!loopback && !isAllowed) return invalid('address');
  return { ok: true, url, loopback };
}

/**
 * Rejects a URL that deliveries must not go to, judging only by its text; `field` is the request field it came from.
 */
export function rejectInvalidUrl(
  context: Context,
  url: string,
  field: string,
): Rejection | undefined {
  const checked = checkCallbackUrl(url, context.settings);
  if (checked.ok) return undefined;
  const code = {
    invalid_url: 'invalid_format',
    scheme: 'insecure_url',
    credentials: 'invalid_value',
    address: 'refused_address',
    loopback: 'refused_address',
  }[checked.code];
  return rejectField(`/${field}`, code, checked.message);
}

/** The address in a host, or undefined if it is a name. */
export function literalOf(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  // The URL parser turns every numeric IPv4 notation into four decimals.
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

function isLoopbackAsWritten(written: string, parsed: string, kind: string | undefined): boolean {
  if (written !== parsed) return false;
  return parsed === 'localhost' || kind === 'loopback';
}

function parse(raw: string): URL | undefined {
  try {
    return new URL(raw);
  } catch {
    return undefined;
  }
}

function invalid(code: keyof typeof messages): UrlVerdict {
  return { ok: false, code, message: messages[code] };
}

const messages = {
  invalid_url: 'Must be an absolute URL of at most 2048 characters.',
  scheme: 'Must be an https URL. http is allowed only on loopback.',
  credentials: 'Must not contain credentials.',
  address: 'Must not point to a private, link-local or other reserved address.',
  loopback:
    'Must not point to loopback: this server is reachable from other machines. To allow it, start the server with --allow-private or --allow-network.',
} as const;
