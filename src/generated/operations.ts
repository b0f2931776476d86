// Generated from openapi.yaml by `npm run generate`. Do not edit.
/** Operation id → method and path template, without prefix. */
export const operations = {
  listGenerations: { method: 'GET', path: '/api/ai/content/generate' },
  generateContent: { method: 'POST', path: '/api/ai/content/generate' },
  getGeneration: { method: 'GET', path: '/api/ai/content/generate/{requestId}' },
  cancelGeneration: { method: 'POST', path: '/api/ai/content/generate/{requestId}/cancel' },
  listApiKeys: { method: 'GET', path: '/api/auth/api-keys' },
  createApiKey: { method: 'POST', path: '/api/auth/api-keys' },
  createApiKeyAlias: { method: 'POST', path: '/api-keys/generate' },
  getApiKey: { method: 'GET', path: '/api/auth/api-keys/{id}' },
  revokeApiKey: { method: 'POST', path: '/api/auth/api-keys/{id}/revoke' },
  regenerateApiKey: { method: 'POST', path: '/api/auth/api-keys/{id}/regenerate' },
  listWebhooks: { method: 'GET', path: '/api/webhooks' },
  createWebhook: { method: 'POST', path: '/api/webhooks' },
  getWebhook: { method: 'GET', path: '/api/webhooks/{id}' },
  deleteWebhook: { method: 'DELETE', path: '/api/webhooks/{id}' },
  updateWebhook: { method: 'PATCH', path: '/api/webhooks/{id}' },
  rotateWebhookSecret: { method: 'POST', path: '/api/webhooks/{id}/rotate-secret' },
  testWebhook: { method: 'POST', path: '/api/webhooks/{id}/test' },
  listDeliveries: { method: 'GET', path: '/api/webhooks/{id}/deliveries' },
  redeliverFailed: { method: 'POST', path: '/api/webhooks/{id}/redeliver' },
  listCallbackDeliveries: { method: 'GET', path: '/api/webhooks/deliveries' },
  redeliverFailedCallbacks: { method: 'POST', path: '/api/webhooks/deliveries/redeliver' },
  redeliver: { method: 'POST', path: '/api/webhooks/deliveries/{deliveryId}/redeliver' },
  getSigningSecret: { method: 'GET', path: '/api/webhooks/signing-secret' },
  rotateSigningSecret: { method: 'POST', path: '/api/webhooks/signing-secret/rotate' },
  getUsage: { method: 'GET', path: '/api/usage' },
} as const satisfies Record<
  string,
  { method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH'; path: string }
>;

/** The name of an operation of the contract. */
export type OperationId = keyof typeof operations;

/** What a server must know about an operation besides its route. */
export interface OperationDetails {
  readonly role: 'admin' | 'member';
  readonly statuses: readonly number[];
  /** Name of the component schema of the body. */
  readonly body?: string;
  readonly bodyRequired?: boolean;
  /** The fields of the body. */
  readonly fields?: readonly string[];
  /** Query parameters: name → JSON schema, and whether it is required. */
  readonly query?: Readonly<
    Record<string, { readonly required: boolean; readonly schema: Readonly<Record<string, unknown>> }>
  >;
  readonly deprecated?: true;
  /** The operation for which this one is an alternative path. */
  readonly aliasOf?: OperationId;
}

export const operationDetails = {
  listGenerations: {
    role: 'member',
    statuses: [200, 400, 401, 422, 429, 500, 503],
    query: {
      limit: {
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      cursor: {
        required: false,
        schema: { type: 'string', minLength: 1, maxLength: 512 },
      },
      status: {
        required: false,
        schema: {
          type: 'string',
          enum: ['processing', 'completed', 'failed', 'canceled'],
        },
      },
      since: { required: false, schema: { type: 'string', format: 'date-time' } },
    },
  },
  generateContent: {
    role: 'member',
    statuses: [200, 202, 400, 401, 409, 413, 415, 422, 429, 500, 503],
    body: 'GenerateRequest',
    bodyRequired: true,
    fields: ['prompt', 'webhookUrl', 'model', 'maxTokens', 'temperature', 'seed', 'metadata', 'stream'],
  },
  getGeneration: { role: 'member', statuses: [200, 204, 401, 404, 422, 429, 500, 503] },
  cancelGeneration: {
    role: 'member',
    statuses: [200, 400, 401, 404, 409, 413, 415, 422, 429, 500, 503],
  },
  listApiKeys: {
    role: 'admin',
    statuses: [200, 400, 401, 403, 422, 429, 500, 503],
    query: {
      limit: {
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      cursor: {
        required: false,
        schema: { type: 'string', minLength: 1, maxLength: 512 },
      },
    },
  },
  createApiKey: {
    role: 'admin',
    statuses: [201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
    body: 'CreateApiKeyRequest',
    bodyRequired: false,
    fields: ['name', 'role', 'expiresAt'],
  },
  createApiKeyAlias: {
    role: 'admin',
    statuses: [201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
    body: 'CreateApiKeyRequest',
    bodyRequired: false,
    fields: ['name', 'role', 'expiresAt'],
    deprecated: true,
    aliasOf: 'createApiKey',
  },
  getApiKey: { role: 'admin', statuses: [200, 401, 403, 404, 422, 429, 500, 503] },
  revokeApiKey: {
    role: 'admin',
    statuses: [200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  },
  regenerateApiKey: {
    role: 'admin',
    statuses: [201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
    body: 'RegenerateApiKeyRequest',
    bodyRequired: false,
    fields: ['gracePeriodSeconds'],
  },
  listWebhooks: {
    role: 'admin',
    statuses: [200, 400, 401, 403, 422, 429, 500, 503],
    query: {
      limit: {
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      cursor: {
        required: false,
        schema: { type: 'string', minLength: 1, maxLength: 512 },
      },
    },
  },
  createWebhook: {
    role: 'admin',
    statuses: [201, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
    body: 'CreateWebhookRequest',
    bodyRequired: true,
    fields: ['event', 'url', 'description', 'threshold', 'secret', 'token'],
  },
  getWebhook: { role: 'admin', statuses: [200, 401, 403, 404, 422, 429, 500, 503] },
  deleteWebhook: { role: 'admin', statuses: [204, 401, 403, 404, 422, 429, 500, 503] },
  updateWebhook: {
    role: 'admin',
    statuses: [200, 400, 401, 403, 404, 413, 415, 422, 429, 500, 503],
    body: 'UpdateWebhookRequest',
    bodyRequired: true,
    fields: ['url', 'description', 'threshold', 'token', 'status'],
  },
  rotateWebhookSecret: {
    role: 'admin',
    statuses: [200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
    body: 'RotateWebhookSecretRequest',
    bodyRequired: false,
    fields: ['overlapSeconds', 'force'],
  },
  testWebhook: {
    role: 'admin',
    statuses: [202, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  },
  listDeliveries: {
    role: 'admin',
    statuses: [200, 400, 401, 403, 404, 422, 429, 500, 503],
    query: {
      limit: {
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      cursor: {
        required: false,
        schema: { type: 'string', minLength: 1, maxLength: 512 },
      },
      status: {
        required: false,
        schema: {
          type: 'string',
          enum: ['pending', 'delivered', 'failed', 'canceled'],
        },
      },
      since: { required: false, schema: { type: 'string', format: 'date-time' } },
    },
  },
  redeliverFailed: {
    role: 'admin',
    statuses: [202, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
    body: 'RedeliverFailedRequest',
    bodyRequired: true,
    fields: ['since', 'status'],
  },
  listCallbackDeliveries: {
    role: 'admin',
    statuses: [200, 400, 401, 403, 422, 429, 500, 503],
    query: {
      limit: {
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      cursor: {
        required: false,
        schema: { type: 'string', minLength: 1, maxLength: 512 },
      },
      status: {
        required: false,
        schema: {
          type: 'string',
          enum: ['pending', 'delivered', 'failed', 'canceled'],
        },
      },
      since: { required: false, schema: { type: 'string', format: 'date-time' } },
      requestId: {
        required: false,
        schema: { type: 'string', minLength: 1, maxLength: 128 },
      },
    },
  },
  redeliverFailedCallbacks: {
    role: 'admin',
    statuses: [202, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
    body: 'RedeliverFailedRequest',
    bodyRequired: true,
    fields: ['since', 'status'],
  },
  redeliver: {
    role: 'admin',
    statuses: [202, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503],
  },
  getSigningSecret: { role: 'admin', statuses: [200, 401, 403, 422, 429, 500, 503] },
  rotateSigningSecret: {
    role: 'admin',
    statuses: [200, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503],
    body: 'RotateSigningSecretRequest',
    bodyRequired: false,
    fields: ['overlapSeconds', 'force'],
  },
  getUsage: { role: 'member', statuses: [200, 401, 422, 429, 500, 503] },
} as const satisfies Record<OperationId, OperationDetails>;

/** Status → the closed list of problem codes that can come with it. */
export const problemCodes = {
  400: ['invalid_json', 'invalid_request'],
  401: ['expired_api_key', 'expired_token', 'invalid_api_key', 'invalid_token', 'missing_credentials', 'multiple_credentials', 'revoked_api_key'],
  403: ['insufficient_permissions'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: ['idempotency_in_progress', 'invalid_state'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  422: ['idempotency_key_reused', 'model_not_found', 'validation_failed'],
  429: ['quota_exceeded', 'rate_limited'],
  500: ['generation_failed', 'internal_error'],
  503: ['unavailable'],
} as const satisfies Record<number, readonly string[]>;

export type ProblemCode = (typeof problemCodes)[keyof typeof problemCodes][number];
