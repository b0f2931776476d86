import type { World } from './context.ts';
import { counters } from './counters.ts';
import { logChange } from './event-log.ts';
import { newId } from './ids.ts';
import type { Organization, Project } from './records.ts';
import { isRefusal, type Refusal } from './rejection.ts';
import { newSecret, type Rotation, rotate } from './secrets.ts';

/** The organization of a row; that every row has one is an invariant. */
export function findOrganization(world: World, id: string): Organization {
  const organization = world.store.table('organizations').get(id);
  if (!organization) throw new Error(`Failed to find organization ${id}: no such row.`);
  return organization;
}

/** The project of a row; that every row has one is an invariant. */
export function findProject(world: World, id: string): Project {
  const project = world.store.table('projects').get(id);
  if (!project) throw new Error(`Failed to find project ${id}: no such row.`);
  return project;
}

/** `external` ones are those that trusted tokens named: their projects are made as they are named. */
export function createOrganization(
  world: World,
  options: { id?: string; quota?: number; external?: true } = {},
): Organization {
  const ordinal = counters(world.store).next('organizations');
  const organization: Organization = {
    id: options.id ?? newId(world, 'org', ordinal),
    ordinal,
    quota: options.quota ?? world.settings.quota,
    ...(options.external && { external: true }),
    createdAt: world.ports.clock.now(),
  };
  world.store.table('organizations').put(organization);
  const row = { id: organization.id, organization: organization.id };
  logChange(world, row, 'organization.created', { quota: organization.quota });
  return organization;
}

export function createProject(world: World, organization: Organization, id?: string): Project {
  const now = world.ports.clock.now();
  const project: Project = {
    id: id ?? newId(world, 'prj', organization.ordinal),
    organization: organization.id,
    secrets: [{ secret: newSecret(world, organization.ordinal), createdAt: now }],
    createdAt: now,
  };
  world.store.table('projects').put(project);
  logChange(world, { ...project, project: project.id }, 'project.created', {});
  return project;
}

export function rotateSigningSecret(
  world: World,
  project: Project,
  rotation: Rotation,
): Project | Refusal {
  const now = world.ports.clock.now();
  const { ordinal } = findOrganization(world, project.organization);
  const secrets = rotate(project.secrets, newSecret(world, ordinal), rotation, now);
  if (isRefusal(secrets)) return secrets;
  const rotated: Project = { ...project, secrets };
  world.store.table('projects').put(rotated);
  logChange(world, { ...project, project: project.id }, 'project.secret_rotated', {
    overlapSeconds: rotation.overlapSeconds,
  });
  return rotated;
}
