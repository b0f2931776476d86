import { ownContract } from '../api/own-contract.ts';
import type { Deployment, SecretEncoding } from '../domain/deployment.ts';
import { readPackageFile } from '../platform/package-file.ts';
import type { MockServerOptions } from './options.ts';

/** The options, completed by the address and the scheme of the deployment. */
export function withDeployment<T extends MockServerOptions>(options: T): T {
  const { deployment } = options;
  if (!deployment) return options;
  const { baseUrl = deployment.json.baseUrl, scheme = deployment.scheme } = options;
  return { ...options, ...(baseUrl !== undefined && { baseUrl }), scheme };
}

export function deploymentSettings({ deployment }: MockServerOptions) {
  if (!deployment) return {};
  return {
    deployment,
    secretEncoding: (deployment.json.secretEncoding ?? 'whsec') as SecretEncoding,
  };
}

/** The contract as YAML, in the names of the deployment; undefined where the platform cannot read files. */
export function readContract(deployment: Deployment | undefined): string | undefined {
  if (!deployment) return readPackageFile('openapi.yaml');
  const contract = readPackageFile('openapi.json');
  // JSON is YAML too.
  return contract && JSON.stringify(ownContract(JSON.parse(contract), deployment), undefined, 2);
}
