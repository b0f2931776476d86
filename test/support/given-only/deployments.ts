import type { DeploymentJson } from '../../../src/deployment/index.ts';
import { routes } from '../../../src/generated/routes.ts';
import type { VariantName } from './variants.ts';

const given = ['generateContent', 'createApiKey', 'createApiKeyAlias', 'createWebhook'];
const absent = Object.keys(routes).filter((operation) => !given.includes(operation));
const signed = { type: 'hmac' };
const common: DeploymentJson = {
  absent,
  idempotency: false,
  secretEncoding: 'utf8',
  scheme: signed,
};

/** The `deployment.json` of each variant. */
export const deployments: Readonly<Record<VariantName, DeploymentJson>> = {
  plain: common,
  wrapped: {
    ...common,
    wrap: 'data',
    scheme: { ...signed, encoding: 'base64' },
    fields: { key: 'apiKey' },
  },
  prefixed: {
    ...common,
    paths: { createApiKey: '/api-keys/generate' },
    scheme: { ...signed, format: 'sha256={signature}' },
    fields: { key: 'token' },
  },
  renamed: {
    ...common,
    webhookUrlField: 'callbackUrl',
    fields: {
      requestId: 'id',
      result: 'output',
      model: 'engine',
      'usage.totalTokens': 'tokens.total',
      key: 'api_key',
    },
  },
  mixed: {
    ...common,
    wrap: 'data',
    scheme: { ...signed, encoding: 'base64', format: 'sha256={signature}' },
    fields: { requestId: 'job.id', key: 'credential.secret' },
  },
};
