import type { Context } from './context.ts';
import { logChange } from './event-log.ts';
import { newId, nextNumber } from './ids.ts';
import type { Organization, Project } from './records.ts';
import { isRejection, type Rejection } from './rejection.ts';
import { newSecret, type Rotation, rotate } from './signing-secrets.ts';

/** The organization of a row. Every row has one, so a missing one is a bug. */
export function findOrganization(context: Context, id: string): Organization {
  const organization = context.store.table('organizations').get(id);
  if (!organization) throw new Error(`Failed to find organization ${id}: it does not exist.`);
  return organization;
}

/** The project of a row. Every row has one, so a missing one is a bug. */
export function findProject(context: Context, id: string): Project {
  const project = context.store.table('projects').get(id);
  if (!project) throw new Error(`Failed to find project ${id}: it does not exist.`);
  return project;
}

/** Pass `external` for an organization that a trusted token named; its projects are created the same way. */
export function createOrganization(
  context: Context,
  options: { id?: string; quota?: number; external?: true } = {},
): Organization {
  const rngStream = nextNumber(context.store, 'organizations');
  const organization: Organization = {
    id: options.id ?? newId(context, 'org', rngStream),
    rngStream,
    quota: options.quota ?? context.settings.quota,
    ...(options.external && { external: true }),
    createdAt: context.ports.clock.now(),
  };
  context.store.table('organizations').put(organization);
  const row = { id: organization.id, organization: organization.id };
  logChange(context, row, 'organization.created', { quota: organization.quota });
  return organization;
}

export function createProject(
  context: Context,
  organization: Organization,
  { id }: { readonly id?: string } = {},
): Project {
  const now = context.ports.clock.now();
  const { rngStream } = organization;
  const project: Project = {
    id: id ?? newId(context, 'prj', rngStream),
    organization: organization.id,
    secrets: [{ secret: newSecret(context, rngStream), createdAt: now }],
    createdAt: now,
  };
  context.store.table('projects').put(project);
  logChange(context, { ...project, project: project.id }, 'project.created', {});
  return project;
}

export function rotateSigningSecret(
  context: Context,
  project: Project,
  rotation: Rotation,
): Project | Rejection {
  const now = context.ports.clock.now();
  const { rngStream } = findOrganization(context, project.organization);
  const secrets = rotate(project.secrets, newSecret(context, rngStream), rotation, now);
  if (isRejection(secrets)) return secrets;
  const rotated: Project = { ...project, secrets };
  context.store.table('projects').put(rotated);
  logChange(context, { ...project, project: project.id }, 'project.secret_rotated', {
    overlapSeconds: rotation.overlapSeconds,
  });
  return rotated;
}
