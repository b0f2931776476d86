import { classifyAddress, isReachable } from './address-policy.ts';

/** How strict the check of a callback URL is. */
export interface UrlPolicy {
  /** Refuse `http:` even on loopback. @default false */
  readonly strictHttps?: boolean;
  /** Accept private and loopback addresses, and `http:`, anywhere. @default false */
  readonly allowPrivate?: boolean;
}

/** The URL to send to, or why it may not be used. */
export type UrlVerdict =
  | { readonly ok: true; readonly url: URL; readonly loopback: boolean }
  | {
      readonly ok: false;
      readonly code: 'invalid_url' | 'scheme' | 'credentials' | 'address';
      readonly message: string;
    };

const maxLength = 2048;
// The URL parser would drop or rewrite these silently; a URL that needs it is not the one that was meant.
const rewritten = /[\p{Cc}\p{Z}\\]/u;

/**
 * Checks scheme, credentials and literal addresses of a callback URL; resolves nothing.
 *
 * A name is judged at each attempt, once its addresses are known.
 */
export function checkCallbackUrl(raw: string, policy: UrlPolicy = {}): UrlVerdict {
  const { strictHttps = false, allowPrivate = false } = policy;
  if (raw.length > maxLength || rewritten.test(raw)) return reject('invalid_url');
  const url = parse(raw);
  if (!url?.hostname) return reject('invalid_url');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return reject('scheme');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(raw)?.[1];
  if (authority === undefined) return reject('invalid_url');
  if (url.username || url.password || authority.includes('@')) return reject('credentials');

  const host = authority.replace(/:\d*$/, '').toLowerCase();
  const literal = literalOf(url.hostname);
  const kind = literal === undefined ? undefined : classifyAddress(literal);
  const loopback = isLoopbackAsWritten(host, url.hostname, kind);
  if (url.protocol === 'http:' && (strictHttps || !(loopback || allowPrivate))) {
    return reject('scheme');
  }
  if (kind !== undefined && !loopback && !isReachable(kind, { allowPrivate })) {
    return reject('address');
  }
  return { ok: true, url, loopback };
}

/** The address that a host spells out, or `undefined` for a name. */
export function literalOf(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  // The URL parser writes every numeric IPv4 spelling as four decimals.
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

function reject(code: keyof typeof messages): UrlVerdict {
  return { ok: false, code, message: messages[code] };
}

const messages = {
  invalid_url: 'Must be an absolute URL of at most 2048 characters.',
  scheme: 'Must be an https URL; http is taken on loopback only.',
  credentials: 'Must not contain credentials.',
  address: 'Must not point to a private, link-local or otherwise reserved address.',
} as const;
