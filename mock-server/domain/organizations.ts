import type { Context } from './context.ts';
import { logChange } from './event-log.ts';
import { newId, nextNumber } from './ids.ts';
import type { Organization, Project, SigningSecret, Webhook } from './records.ts';
import { isRejection, type Rejection, reject } from './rejection.ts';

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
  { id, secret }: { readonly id?: string; readonly secret?: string } = {},
): Project {
  const now = context.ports.clock.now();
  const { rngStream } = organization;
  const project: Project = {
    id: id ?? newId(context, 'prj', rngStream),
    organization: organization.id,
    secrets: [{ secret: secret ?? newSecret(context, rngStream), createdAt: now }],
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

const SECRET_BYTES = 32;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    text += BASE64[a >> 2];
    text += BASE64[((a & 3) << 4) | ((b ?? 0) >> 4)];
    text += b === undefined ? '=' : BASE64[((b & 15) << 2) | ((c ?? 0) >> 6)];
    text += c === undefined ? '=' : BASE64[c & 63];
  }
  return text;
}

/** A new signing secret: `whsec_` and 256 random bits. */
export function newSecret(context: Context, rngStream: number): string {
  return `whsec_${base64(context.ports.random.bytes(rngStream, SECRET_BYTES))}`;
}

/** Whether every receiver can decode it: `whsec_` and canonical, padded base64 of 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+)(={0,2})$/.exec(text);
  if (!encoded) return false;
  const [, digits = '', padding = ''] = encoded;
  if ((digits.length + padding.length) % 4 !== 0) return false;
  const bytes = Math.floor((digits.length * 6) / 8);
  const spareBits = (digits.length * 6) % 8;
  const last = BASE64.indexOf(digits.at(-1) ?? '');
  return bytes >= 24 && bytes <= 64 && (last & ((1 << spareBits) - 1)) === 0;
}

/** What signs for a registration, newest first: its own secrets or, without any, those of its project. */
export function secretsOf(
  context: Context,
  { secrets, project }: Pick<Webhook, 'secrets' | 'project'>,
): readonly SigningSecret[] {
  return secrets.length > 0 ? secrets : findProject(context, project).secrets;
}

/** The secrets that sign at `now`, newest first. */
export function activeSecrets(secrets: readonly SigningSecret[], now: number): string[] {
  const active: string[] = [];
  for (const { secret, expiresAt } of secrets) {
    if (expiresAt === undefined || now < expiresAt) active.push(secret);
  }
  return active;
}

export interface Rotation {
  readonly overlapSeconds: number;
  /** Rotates even during an overlap; the oldest secret stops signing immediately. */
  readonly force: boolean;
}

/** Puts a new secret first; the previous one keeps signing until the overlap ends. */
export function rotate(
  secrets: readonly SigningSecret[],
  secret: string,
  { overlapSeconds, force }: Rotation,
  now: number,
): SigningSecret[] | Rejection {
  const [current, previous] = secrets;
  const overlapping = previous?.expiresAt !== undefined && now < previous.expiresAt;
  if (overlapping && !force) {
    return reject(
      'invalid_state',
      'A rotation is already in progress. Wait for its overlap to end, or set force.',
    );
  }
  const fresh: SigningSecret = { secret, createdAt: now };
  return current ? [fresh, { ...current, expiresAt: now + overlapSeconds * 1000 }] : [fresh];
}
