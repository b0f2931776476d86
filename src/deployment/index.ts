export type {
  Deployment,
  DeploymentJson,
  SchemeData,
  SecretEncoding,
  ToOurs,
  ToTheirs,
} from '../deployment-port.ts';
export type { AbsentField, FieldName } from '../generated/names.ts';
export { defineDeployment } from './define-deployment.ts';
