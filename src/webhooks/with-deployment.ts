import type { Deployment } from '../deployment-port.ts';
import type { Scheme } from '../signing/scheme.ts';

/** The options that a deployment also sets. */
interface Shared {
  readonly deployment?: Deployment;
  readonly scheme?: Scheme;
  readonly allowUntimed?: boolean;
}

/** The options of a receiver or signer, completed by those of its deployment. */
export function withDeployment<T extends Shared>(options: T): T & Pick<Shared, 'allowUntimed'> {
  const { deployment } = options;
  if (!deployment) return options;
  const { scheme = deployment.scheme } = options;
  return {
    // A deployment that sends no time is never rejected for it.
    allowUntimed: scheme.sendsEnvelope === false,
    ...options,
    scheme,
  };
}
