export type { Deployment, DeploymentJson, SchemeData } from '../deployment-port.ts';
export { defineDeployment } from './define-deployment.ts';
