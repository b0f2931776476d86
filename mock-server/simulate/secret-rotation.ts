import { internalsOf } from '../composition/internals.ts';
import { findProject, rotateSigningSecret } from '../domain/organizations.ts';
import type { Simulation } from './simulation.ts';

/** The rotation happens within this many seconds of the start of a run. */
const LATEST_S = 60;
const DAY_S = 86_400;
/** A rotation after a leak: early, and with an overlap that ends while callbacks still arrive. */
const SOON_S = 3;

/** Plans the rotation of the signing secret, if there is one in this run. */
export function planRotation(simulation: Simulation): void {
  const { choices, chaos, service, trace } = simulation;
  const isLeaked = choices.chance('secret leaked', chaos.secretRotated && 0.5);
  if (!choices.chance('secretRotated', chaos.secretRotated)) return;
  const seconds = choices.upTo('secretRotated after', isLeaked ? SOON_S : LATEST_S);
  const run = () => {
    simulation.injected('secretRotated', 'account');
    trace.fault('fault', 'the signing secret is rotated');
    const project = findProject(service.context, internalsOf(service.server).project);
    const overlapSeconds = isLeaked ? choices.upTo('overlap', SOON_S) : DAY_S;
    rotateSigningSecret(service.context, project, { overlapSeconds, force: true });
  };
  simulation.after(seconds * 1000, { what: 'the signing secret is rotated', run });
}
