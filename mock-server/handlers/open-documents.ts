import type { World } from '../domain/world.ts';
import { jsonReply, type Reply, textReply } from './reply.ts';

type Headers = Readonly<Record<string, string>>;

/** What anybody may read, without credentials: the keys that tokens are verified by, and the contract. */
export async function openDocument(
  world: World,
  method: string,
  path: string,
  contract: () => string | undefined,
): Promise<((headers: Headers) => Reply) | undefined> {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/.well-known/jwks.json') {
    const keys = await world.ports.tokens.jwks();
    return (headers) => jsonReply(200, keys, headers);
  }
  if (path !== '/openapi.yaml') return undefined;
  const text = contract();
  return text === undefined
    ? undefined
    : (headers) => textReply(200, text, headers, 'application/yaml');
}
