import type { CallContext, Next } from './call-context.ts';

const JWKS = '/.well-known/jwks.json';
const CONTRACT = '/openapi.yaml';

/** Methods of a public document's path; none for any other path. */
export const publicMethods = (path: string): string[] =>
  path === JWKS || path === CONTRACT ? ['GET', 'HEAD'] : [];

/** Step: preflights carry no credentials. */
export function respondToPreflight(call: CallContext): Next {
  const { headers, method } = call.request;
  if (method !== 'OPTIONS' || !headers.has('access-control-request-method')) return call;
  const requested = headers.get('access-control-request-headers');
  return {
    ...call,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
      ...(requested !== null && { 'access-control-allow-headers': requested }),
      'access-control-max-age': '600',
      vary: 'Access-Control-Request-Headers',
    },
    outcome: { status: 204 },
  };
}

/** Step: serves what anyone can read without credentials: the keys that verify tokens, and the contract. */
export function servePublicDocument(call: CallContext): Next | Promise<Next> {
  const { path, request, service } = call;
  if (request.method !== 'GET' && request.method !== 'HEAD') return call;
  if (path === JWKS) {
    const { tokens } = service.context.ports;
    return tokens.jwks().then((body) => ({ ...call, outcome: { status: 200, body } }));
  }
  const yaml = path === CONTRACT ? service.options.contract() : undefined;
  return yaml === undefined ? call : { ...call, outcome: { status: 200, yaml } };
}
