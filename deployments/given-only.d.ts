import type { DeploymentJson } from 'contentgen';

/** The smallest service that conforms to the specification; pass it to `defineDeployment()`. */
declare const givenOnly: DeploymentJson;
export default givenOnly;
