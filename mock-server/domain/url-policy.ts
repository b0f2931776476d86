import { type AllowedNetworks, classifyAddress, isReachable } from './address-policy.ts';
import type { Context } from './context.ts';
import { type Rejection, rejectField } from './rejection.ts';

export interface UrlPolicy {
  /** Reject `http:` even on loopback. @default false */
  readonly strictHttps?: boolean;
  /** Accept these private and loopback addresses, and `http:` for any address. @default false */
  readonly allowPrivate?: AllowedNetworks;
  /** Accept loopback addresses as written, unlike the other private ones. @default true */
  readonly allowLoopback?: boolean;
}

export type UrlVerdict =
  | { readonly ok: true; readonly url: URL; readonly loopback: boolean }
  | {
      readonly ok: false;
      readonly code: (typeof refusals)[keyof typeof refusals][0];
      readonly message: string;
    };

const maxLength = 2048;
// The URL parser silently drops or rewrites these, so such a URL is probably not what was meant.
const rewritten = /[\p{Cc}\p{Z}\\]/u;

/**
 * Checks scheme, credentials and literal addresses of a callback URL, without resolving names.
 *
 * A name is checked when a connection is opened, once its addresses are known.
 */
export function checkCallbackUrl(raw: string, policy: UrlPolicy = {}): UrlVerdict {
  const { strictHttps = false, allowPrivate = false, allowLoopback = true } = policy;
  if (raw.length > maxLength || rewritten.test(raw) || !URL.canParse(raw)) return refuse('format');
  const url = new URL(raw);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('scheme');
  const authority = /^https?:\/\/([^/?#]+)/i.exec(raw)?.[1];
  if (authority === undefined) return refuse('format');
  if (authority.includes('@')) return refuse('credentials');

  const written = authority.replace(/:\d*$/, '').toLowerCase();
  const address = addressOf(url.hostname);
  const isLoopback = address !== undefined && classifyAddress(address) === 'loopback';
  const loopback = isLoopback && written === url.hostname;
  if (url.protocol === 'http:' && (strictHttps || !(loopback || allowPrivate !== false))) {
    return refuse('scheme');
  }
  const isAllowed = address === undefined || isReachable(address, allowPrivate);
  if (isAllowed || (loopback && allowLoopback)) return { ok: true, url, loopback };
  return refuse(loopback ? 'loopback' : 'address');
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
  return checked.ok ? undefined : rejectField(`/${field}`, checked.code, checked.message);
}

/** The address that a host stands for, or undefined if it is a name that has to be resolved. */
function addressOf(hostname: string): string | undefined {
  if (hostname === 'localhost') return '127.0.0.1';
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  // The URL parser turns every numeric IPv4 notation into four decimals.
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

function refuse(why: keyof typeof refusals): UrlVerdict {
  const [code, message] = refusals[why];
  return { ok: false, code, message };
}

const refusals = {
  format: ['invalid_format', 'Must be an absolute URL of at most 2048 characters.'],
  scheme: ['insecure_url', 'Must be an https URL. http is allowed only on loopback.'],
  credentials: ['invalid_value', 'Must not contain credentials.'],
  address: [
    'refused_address',
    'Must not point to a private, link-local or other reserved address.',
  ],
  loopback: [
    'refused_address',
    'Must not point to loopback: this server is reachable from other machines. To allow it, start the server with --allow-private or --allow-network.',
  ],
} as const;
