import { authenticateKey } from '../domain/api-keys.ts';
import type { Context } from '../domain/context.ts';
import { createOrganization, createProject, findOrganization } from '../domain/organizations.ts';
import type { TokenClaims } from '../domain/ports.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type { Principal } from './principal.ts';

/** As they came: undefined when the header is absent. */
export interface Credentials {
  readonly apiKey: string | undefined;
  /** The token, or null for an authorization that carries none. */
  readonly token: string | null | undefined;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The caller, or the one 401 that fits. */
export function authenticate(
  context: Context,
  { apiKey, token }: Credentials,
): Principal | Rejection | Promise<Principal | Rejection> {
  if (apiKey !== undefined && token !== undefined) {
    return reject('multiple_credentials', 'Send an API key or an access token, not both.');
  }
  if (apiKey !== undefined) return keyPrincipal(context, apiKey);
  if (token === undefined) {
    return reject('missing_credentials', 'Send an API key (X-API-Key) or an access token.');
  }
  if (token === null)
    return reject('invalid_token', 'The Authorization header has no bearer token.');
  return tokenPrincipal(context, token);
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
    const detail = verdict.code === 'expired_token' ? 'has expired' : 'is not valid';
    return reject(verdict.code, `The access token ${detail}.`);
  }
  const { claims } = verdict;
  if (![claims.sub, claims.org, claims.project].every((name) => NAME.test(name))) {
    return reject(
      'invalid_token',
      'The access token names no valid user, organization and project.',
    );
  }
  const rngStream = rngStreamOf(context, claims);
  if (rngStream === undefined) {
    return reject('invalid_token', "The access token's project is not of its organization.");
  }
  const { sub: actor, role, org: organization, project } = claims;
  return { kind: 'user', actor, role, organization, project, rngStream };
}

/**
 * Undefined when the project is not of the organization. An organization that a trusted token names first is made
 * with its project: tokens of another issuer name what this server cannot know.
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
    createProject(context, made, id);
    return made.rngStream;
  });
}
