import type { SecretEncoding } from '../domain/deployment.ts';
import type { MockServerOptions } from './options.ts';

/** The options, completed by the address and the scheme of the deployment. */
export function withDeployment<T extends MockServerOptions>(options: T): T {
  const { deployment } = options;
  if (!deployment) return options;
  const { baseUrl = deployment.json.baseUrl, scheme = deployment.scheme } = options;
  return { ...options, ...(baseUrl !== undefined && { baseUrl }), scheme };
}

/** What the domain needs of the deployment. */
export function deploymentSettings({ deployment }: MockServerOptions) {
  if (!deployment) return {};
  return {
    deployment,
    secretEncoding: (deployment.json.secretEncoding ?? 'whsec') as SecretEncoding,
    toWire: (payload: object) => deployment.toTheirs.payload(payload),
  };
}
