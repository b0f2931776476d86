import type { Context } from '../domain/context.ts';
import { jsonReply, type Reply, textReply } from './reply.ts';

type Headers = Readonly<Record<string, string>>;

const JWKS = '/.well-known/jwks.json';
const CONTRACT = '/openapi.yaml';

/** Methods of a path that is no operation's; none: it is unknown here. */
export const openMethods = (path: string): string[] =>
  path === JWKS || path === CONTRACT ? ['GET', 'HEAD'] : [];

/** What anybody may read, without credentials: the keys that tokens are verified by, and the contract. */
export async function openDocument(
  context: Context,
  method: string,
  path: string,
  contract: () => string | undefined,
): Promise<((headers: Headers) => Reply) | undefined> {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === JWKS) {
    const keys = await context.ports.tokens.jwks();
    return (headers) => jsonReply(200, keys, headers);
  }
  if (path !== CONTRACT) return undefined;
  const text = contract();
  return text === undefined
    ? undefined
    : (headers) => textReply(200, text, headers, 'application/yaml');
}
