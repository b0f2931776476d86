import { defineDeployment } from '../../../src/deployment/index.ts';
import { ContentGen, type DeploymentJson } from '../../../src/index.ts';
import { control, origin } from './control.ts';

/** The user id of this page in the request log. */
const ACTOR = 'usr_dashboard';

/** A client with an access token of an administrator. It does not retry, so that faults are visible. */
export function createClient(deployment: DeploymentJson | undefined): ContentGen {
  return new ContentGen({
    baseUrl: origin,
    accessToken: () => control.issueToken({ role: 'admin', sub: ACTOR }),
    maxRetries: 0,
    logLevel: 'off',
    ...(deployment && { deployment: defineDeployment(deployment) }),
  });
}
