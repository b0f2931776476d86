import { authenticateKey } from '../domain/api-keys.ts';
import type { World } from '../domain/context.ts';
import { createOrganization, createProject, findOrganization } from '../domain/organizations.ts';
import type { TokenClaims } from '../domain/ports.ts';
import { isRefusal, type Refusal, refuse } from '../domain/rejection.ts';
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
  world: World,
  { apiKey, token }: Credentials,
): Principal | Refusal | Promise<Principal | Refusal> {
  if (apiKey !== undefined && token !== undefined) {
    return refuse('multiple_credentials', 'Send an API key or an access token, not both.');
  }
  if (apiKey !== undefined) return keyPrincipal(world, apiKey);
  if (token === undefined) {
    return refuse('missing_credentials', 'Send an API key (X-API-Key) or an access token.');
  }
  if (token === null)
    return refuse('invalid_token', 'The Authorization header has no bearer token.');
  return tokenPrincipal(world, token);
}

function keyPrincipal(world: World, apiKey: string): Principal | Refusal {
  const key = authenticateKey(world, apiKey);
  if (isRefusal(key)) return key;
  const { id: actor, role, organization, project } = key;
  const { ordinal } = findOrganization(world, organization);
  return { kind: 'key', actor, role, organization, project, ordinal };
}

async function tokenPrincipal(world: World, token: string): Promise<Principal | Refusal> {
  const now = Math.floor(world.ports.clock.now() / 1000);
  const verdict = await world.ports.tokens.verify(token, now);
  if (!verdict.ok) {
    const detail = verdict.code === 'expired_token' ? 'has expired' : 'is not valid';
    return refuse(verdict.code, `The access token ${detail}.`);
  }
  const { claims } = verdict;
  if (![claims.sub, claims.org, claims.project].every((name) => NAME.test(name))) {
    return refuse(
      'invalid_token',
      'The access token names no valid user, organization and project.',
    );
  }
  const ordinal = ordinalOf(world, claims);
  if (ordinal === undefined) {
    return refuse('invalid_token', "The access token's project is not of its organization.");
  }
  const { sub: actor, role, org: organization, project } = claims;
  return { kind: 'user', actor, role, organization, project, ordinal };
}

/**
 * Undefined when the project is not of the organization. An organization that a trusted token names first is made
 * with its project: tokens of another issuer name what this server cannot know.
 */
function ordinalOf(world: World, { org, project: id }: TokenClaims): number | undefined {
  const organization = world.store.table('organizations').get(org);
  const project = world.store.table('projects').get(id);
  if (organization && project) {
    return project.organization === org ? organization.ordinal : undefined;
  }
  if (project || (organization && !organization.external)) return undefined;
  return world.store.transaction(() => {
    const made = organization ?? createOrganization(world, { id: org, external: true });
    createProject(world, made, id);
    return made.ordinal;
  });
}
