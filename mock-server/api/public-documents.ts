import type { Call, OperationResult } from './call.ts';

const JWKS = '/.well-known/jwks.json';
const CONTRACT = '/openapi.yaml';

export const isPublicPath = (path: string): boolean => path === JWKS || path === CONTRACT;

/** Responds to CORS preflights, which carry no credentials. */
export function respondToPreflight({ request }: Call): OperationResult | undefined {
  const { headers, method } = request;
  if (method !== 'OPTIONS' || !headers.has('access-control-request-method')) return undefined;
  const requested = headers.get('access-control-request-headers');
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
      ...(requested !== null && { 'access-control-allow-headers': requested }),
      'access-control-max-age': '600',
      vary: 'Access-Control-Request-Headers',
    },
  };
}

/** What anyone can read without credentials: the keys that verify tokens, and the contract. */
export function servePublicDocument({
  path,
  request,
  service,
}: Call): OperationResult | Promise<OperationResult> | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  if (path === JWKS) {
    const { tokens } = service.context.ports;
    return tokens.jwks().then((body) => ({ status: 200, body }));
  }
  const yaml = path === CONTRACT ? service.options.contract() : undefined;
  return yaml === undefined ? undefined : { status: 200, yaml };
}
