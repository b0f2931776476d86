import { schemeOf } from '../../src/signing/scheme-of.ts';
import { type Deployment, payloadToTheirs, type SecretEncoding } from '../domain/deployment.ts';
import type { MockServerOptions } from './options.ts';

/** The options, completed by those that the deployment sets. */
export function withDeployment<T extends MockServerOptions>(options: T): T {
  const { deployment } = options;
  if (!deployment) return options;
  const { baseUrl, paths, webhookUrlField, accessTokenHeader, tokenHeader, eventNames } =
    deployment;
  const own = { baseUrl, paths, webhookUrlField, accessTokenHeader, tokenHeader, eventNames };
  const given = Object.entries({ ...own }).filter(([, value]) => value !== undefined);
  const scheme = (options.scheme ?? deployment.scheme) as Deployment['scheme'];
  return {
    ...Object.fromEntries(given),
    ...options,
    scheme: schemeOf({ ...deployment, ...(scheme && { scheme }) }),
  };
}

/** What each call needs of the deployment; `undefined` if nothing is different. */
export function deploymentOf(options: MockServerOptions): Deployment | undefined {
  const { deployment, webhookUrlField } = options;
  if (webhookUrlField === undefined) return deployment;
  return { ...deployment, webhookUrlField };
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
