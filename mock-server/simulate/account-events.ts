import { internalsOf } from '../composition/internals.ts';
import { createApiKey, newKeyMaterial, revokeApiKey } from '../domain/api-keys.ts';
import { findOrganization, findProject, rotateSigningSecret } from '../domain/organizations.ts';
import type { ResolvedChaos } from './chaos.ts';
import type { Simulation } from './simulation.ts';

/** Account events happen within this many seconds of the start of a run. */
const LATEST_S = 60;
const DAY_S = 86_400;
/** A rotation after a leak: early, and with an overlap that ends while callbacks still arrive. */
const SOON_S = 3;

export interface Keys {
  readonly valid: () => string;
  readonly installed: () => string;
}

/** Plans the account events of a run, each at most once: a revoked key, a rotated secret, a used-up quota. */
export function planAccountEvents(simulation: Simulation): Keys {
  const { server, context } = simulation.service;
  let valid = server.adminKey;
  let installed = server.adminKey;

  plan('keyRevoked', 'the API key is revoked', () => {
    const project = findProject(context, internalsOf(server).project);
    const { organization, id } = project;
    const { rngStream } = findOrganization(context, organization);
    const material = newKeyMaterial(context, rngStream);
    const keys = context.store.table('apiKeys');
    const old = keys.oldest({ limit: 1, index: 'project', key: id })[0];
    const owner = { organization, project: id, rngStream, actor: 'system' };
    createApiKey(context, owner, material, { role: 'admin' });
    if (old) revokeApiKey(context, old);
    valid = material.key;
    const install = () => {
      installed = material.key;
      simulation.trace.add('run', 'the application gets its new API key');
    };
    const seconds = simulation.choices.upTo('new key after', LATEST_S);
    simulation.after(seconds * 1000, { what: 'new key', run: install });
  });
  const leaked = simulation.choices.chance('secret leaked', simulation.chaos.secretRotated && 0.5);
  const rotate = () => {
    const project = findProject(context, internalsOf(server).project);
    const overlapSeconds = leaked ? simulation.choices.upTo('overlap', SOON_S) : DAY_S;
    rotateSigningSecret(context, project, { overlapSeconds, force: true });
  };
  plan('secretRotated', 'the signing secret is rotated', rotate, leaked ? SOON_S : LATEST_S);
  plan('quotaReached', 'the quota is used up', () => {
    const organization = findOrganization(context, server.organization);
    context.store.table('organizations').put({ ...organization, quota: 0 });
  });

  function plan(
    name: keyof ResolvedChaos,
    what: string,
    happen: () => void,
    latest = LATEST_S,
  ): void {
    if (!simulation.choices.chance(name, simulation.chaos[name])) return;
    const seconds = simulation.choices.upTo(`${name} after`, latest);
    const run = () => {
      simulation.injected(name, 'account');
      simulation.trace.fault('fault', what);
      happen();
    };
    simulation.after(seconds * 1000, { what, run });
  }

  return { valid: () => valid, installed: () => installed };
}
