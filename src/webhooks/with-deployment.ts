import type { Deployment } from '../deployment.ts';
import type { Scheme } from '../signing/scheme.ts';
import { schemeOf } from '../signing/scheme-of.ts';

/** The options that a deployment also sets. */
interface Shared {
  readonly deployment?: Deployment;
  readonly scheme?: Scheme;
  readonly allowUntimed?: boolean;
}

/** Schemes are kept, so that verifying one delivery after the other does not make one for each. */
const schemes = new WeakMap<Deployment, Scheme>();

/** The options of a receiver or signer, completed by those of its deployment. */
export function withDeployment<T extends Shared>(options: T): T & Pick<Shared, 'allowUntimed'> {
  const { deployment } = options;
  if (!deployment) return options;
  const scheme = options.scheme
    ? schemeOf({ ...deployment, scheme: options.scheme })
    : (schemes.get(deployment) ?? schemeOf(deployment));
  if (!options.scheme) schemes.set(deployment, scheme);
  return {
    // A deployment that sends no time is never rejected for it.
    allowUntimed: scheme.sendsEnvelope === false,
    ...options,
    scheme,
  };
}
