// Generated from openapi.yaml by `npm run generate`. Do not edit.
import type { OperationId } from './operations.ts';

/** Operation id → what its response always has; for a list, each item. `!` marks what no caller can do without. */
export const promises: Readonly<Record<OperationId, string>> = {
  listGenerations: 'requestId! status! model createdAt',
  generateContent: 'requestId! status model createdAt result! usage.totalTokens usage.promptTokens usage.completionTokens',
  getGeneration: 'requestId! status! model createdAt',
  cancelGeneration: 'requestId! status! model createdAt',
  listApiKeys: 'id name role hint organization project status createdAt createdBy expiresAt',
  createApiKey: 'id name role hint organization project status createdAt createdBy expiresAt key!',
  createApiKeyAlias: 'id name role hint organization project status createdAt createdBy expiresAt key!',
  getApiKey: 'id name role hint organization project status createdAt createdBy expiresAt',
  revokeApiKey: 'id name role hint organization project status createdAt createdBy expiresAt',
  regenerateApiKey: 'id name role hint organization project status createdAt createdBy expiresAt key!',
  listWebhooks: 'id event url status hasToken createdAt updatedAt',
  createWebhook: 'id event url status hasToken createdAt updatedAt secret!',
  getWebhook: 'id event url status hasToken createdAt updatedAt',
  deleteWebhook: '',
  updateWebhook: 'id event url status hasToken createdAt updatedAt',
  rotateWebhookSecret: 'id event url status hasToken createdAt updatedAt secret!',
  testWebhook: 'id messageId event url status createdAt attempts',
  listDeliveries: 'id messageId event url status createdAt attempts',
  redeliverFailed: 'count',
  listCallbackDeliveries: 'id messageId event url status createdAt attempts',
  redeliverFailedCallbacks: 'count',
  redeliver: 'id messageId event url status createdAt attempts',
  getSigningSecret: 'secret! createdAt',
  rotateSigningSecret: 'secret! createdAt previousExpiresAt',
  getUsage: 'organization periodStart periodEnd used quota remaining requests',
};
