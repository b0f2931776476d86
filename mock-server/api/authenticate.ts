import { authenticateKey } from '../domain/api-keys.ts';
import type { Context } from '../domain/context.ts';
import { createOrganization, createProject, findOrganization } from '../domain/organizations.ts';
import type { TokenClaims } from '../domain/ports.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type { Call, CallRejection, Permit, Principal, Route } from './call.ts';
import { rateHeaders } from './rate-limit.ts';
import { operationDetails } from './routes.ts';

/** Identifies the caller by exactly one valid credential, or rejects with 401. */
export function authenticate({
  service: { context, options },
  request,
}: Call): Principal | Rejection | Promise<Principal | Rejection> {
  const apiKey = request.headers.get('x-api-key');
  const token = tokenOf(request, options.deployment?.accessTokenHeader ?? 'authorization');
  if (apiKey !== null && token !== undefined) {
    const detail = 'Both an API key and an access token were sent. Send only one of them.';
    return reject('multiple_credentials', detail);
  }
  if (apiKey !== null) return keyPrincipal(context, apiKey);
  if (token === undefined) {
    const detail =
      'No credentials were sent. Send an API key in X-API-Key, or an access token in Authorization: Bearer.';
    return reject('missing_credentials', detail);
  }
  if (token === null) {
    return reject('invalid_token', 'The Authorization header must be: Bearer <access token>.');
  }
  return tokenPrincipal(context, token);
}

/** Rejects with 403 unless the role allows the operation, before any record is looked up. `admin` can do everything. */
export function authorize(call: Call, principal: Principal, route: Route): Permit | CallRejection {
  const { operation } = route;
  const needed = operationDetails[operation].role;
  const { role } = principal;
  if (role === 'admin' || needed === 'member') return { principal, route };
  const detail = `${operation} needs the role ${needed}; these credentials have the role ${role}.`;
  const headers = rateHeaders(call, principal);
  return { ...reject('insufficient_permissions', detail), headers };
}

/** Undefined without the header; null if it holds no bearer token. A deployment's own header holds the bare token. */
function tokenOf(request: Request, header: string): string | null | undefined {
  const value = request.headers.get(header);
  if (value === null) return undefined;
  const bearer = /^bearer +(\S+) *$/i.exec(value);
  if (bearer) return bearer[1];
  return header.toLowerCase() === 'authorization' ? null : value;
}

function keyPrincipal(context: Context, apiKey: string): Principal | Rejection {
  const key = authenticateKey(context, apiKey);
  if (isRejection(key)) return key;
  const { id: actor, role, organization, project } = key;
  const { rngStream } = findOrganization(context, organization);
  return { kind: 'key', actor, role, organization, project, rngStream };
}

async function tokenPrincipal(context: Context, token: string): Promise<Principal | Rejection> {
  const now = Math.floor(context.ports.clock.now() / 1000);
  const verdict = await context.ports.tokens.verify(token, now);
  if (!verdict.ok) {
    if (verdict.code === 'expired_token')
      return reject('expired_token', 'The access token has expired. Get a new one.');
    const detail = token.startsWith('cg_')
      ? 'This is an API key, not an access token. Send it in X-API-Key.'
      : 'The access token is not valid. Get a new one.';
    return reject('invalid_token', detail);
  }
  const { claims, issuedHere } = verdict;
  // Only tokens from other issuers can name an organization that never existed on this server.
  if (issuedHere && !context.store.table('organizations').get(claims.org)) {
    return reject('invalid_token', "The access token's organization no longer exists.");
  }
  const rngStream = rngStreamOf(context, claims);
  if (rngStream === undefined) {
    const detail = "The access token's project does not belong to its organization.";
    return reject('invalid_token', detail);
  }
  const { sub: actor, role, org: organization, project } = claims;
  return { kind: 'user', actor, role, organization, project, rngStream };
}

/**
 * Undefined if the project does not belong to the organization. A trusted token from another issuer can name an
 * organization or project that this server does not know yet; it is created.
 */
function rngStreamOf(context: Context, { org, project: id }: TokenClaims): number | undefined {
  const organization = context.store.table('organizations').get(org);
  const project = context.store.table('projects').get(id);
  if (organization && project) {
    return project.organization === org ? organization.rngStream : undefined;
  }
  if (project || (organization && !organization.external)) return undefined;
  return context.store.transaction(() => {
    const made = organization ?? createOrganization(context, { id: org, external: true });
    createProject(context, made, { id });
    return made.rngStream;
  });
}
