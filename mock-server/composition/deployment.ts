import { schemeOf } from '../../src/signing/scheme-of.ts';
import { type Deployment, payloadToTheirs, type SecretEncoding } from '../domain/deployment.ts';
import type { MockServerOptions } from './options.ts';

/** The options, completed by the address and the scheme of the deployment. */
export function withDeployment<T extends MockServerOptions>(options: T): T {
  const { deployment } = options;
  if (!deployment) return options;
  const { baseUrl = deployment.baseUrl } = options;
  const scheme = (options.scheme ?? deployment.scheme) as Deployment['scheme'];
  return {
    ...options,
    ...(baseUrl !== undefined && { baseUrl }),
    scheme: schemeOf({ ...deployment, ...(scheme && { scheme }) }),
  };
}

/** What the domain needs of the deployment. */
export function deploymentSettings({ deployment }: MockServerOptions) {
  if (!deployment) return {};
  return {
    deployment,
    secretEncoding: (deployment.secretEncoding ?? 'whsec') as SecretEncoding,
    toWire: (payload: object) => payloadToTheirs(deployment, payload),
  };
}
