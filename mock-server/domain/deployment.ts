export type { Deployment, DeploymentJson, SecretEncoding } from '../../src/deployment-port.ts';
export { deploymentRule } from '../../src/deployment-port.ts';
