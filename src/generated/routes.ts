// Generated from openapi.yaml by `npm run generate`. Do not edit.
import type { OperationId } from './operations.ts';

/** Operation id → method and path template, without prefix. */
export const routes: Readonly<Record<OperationId, string>> = {
  listGenerations: 'GET /api/ai/content/generate',
  generateContent: 'POST /api/ai/content/generate',
  getGeneration: 'GET /api/ai/content/generate/{requestId}',
  cancelGeneration: 'POST /api/ai/content/generate/{requestId}/cancel',
  listApiKeys: 'GET /api/auth/api-keys',
  createApiKey: 'POST /api/auth/api-keys',
  createApiKeyAlias: 'POST /api-keys/generate',
  getApiKey: 'GET /api/auth/api-keys/{id}',
  revokeApiKey: 'POST /api/auth/api-keys/{id}/revoke',
  regenerateApiKey: 'POST /api/auth/api-keys/{id}/regenerate',
  listWebhooks: 'GET /api/webhooks',
  createWebhook: 'POST /api/webhooks',
  getWebhook: 'GET /api/webhooks/{id}',
  deleteWebhook: 'DELETE /api/webhooks/{id}',
  updateWebhook: 'PATCH /api/webhooks/{id}',
  rotateWebhookSecret: 'POST /api/webhooks/{id}/rotate-secret',
  testWebhook: 'POST /api/webhooks/{id}/test',
  listDeliveries: 'GET /api/webhooks/{id}/deliveries',
  redeliverFailed: 'POST /api/webhooks/{id}/redeliver',
  listCallbackDeliveries: 'GET /api/webhooks/deliveries',
  redeliverFailedCallbacks: 'POST /api/webhooks/deliveries/redeliver',
  redeliver: 'POST /api/webhooks/deliveries/{deliveryId}/redeliver',
  getSigningSecret: 'GET /api/webhooks/signing-secret',
  rotateSigningSecret: 'POST /api/webhooks/signing-secret/rotate',
  getUsage: 'GET /api/usage',
};
