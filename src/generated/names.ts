// Generated from openapi.yaml by `npm run generate`. Do not edit.
import type { OperationId } from './operations.ts';

/** A schema: the names that can stand before its fields, and what each field holds. */
export interface SchemaNames {
  /** Its own name, and those of the schemas that it extends. */
  readonly scopes: readonly string[];
  /** Field → a nested schema, `[]` and the schema of a list's items, or a kind of value: `=id`, `=status`, `=event`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Every schema of a request, a response, a callback or an event. */
export const schemas: Readonly<Record<string, SchemaNames>> = {
  GenerateRequest: {
    scopes: [
      'GenerateRequest'
    ],
    fields: {
      prompt: '',
      webhookUrl: '',
      model: '',
      maxTokens: '',
      temperature: '',
      seed: '',
      metadata: '',
      stream: ''
    }
  },
  CompletedGeneration: {
    scopes: [
      'CompletedGeneration',
      'Generation'
    ],
    fields: {
      requestId: '=id',
      status: '=status',
      model: '',
      result: '',
      usage: 'TokenUsage',
      error: 'GenerationError',
      webhookUrl: '',
      metadata: '',
      createdAt: '',
      completedAt: ''
    }
  },
  Generation: {
    scopes: [
      'Generation'
    ],
    fields: {
      requestId: '=id',
      status: '=status',
      model: '',
      result: '',
      usage: 'TokenUsage',
      error: 'GenerationError',
      webhookUrl: '',
      metadata: '',
      createdAt: '',
      completedAt: ''
    }
  },
  TokenUsage: {
    scopes: [
      'TokenUsage'
    ],
    fields: {
      totalTokens: '',
      promptTokens: '',
      completionTokens: ''
    }
  },
  GenerationError: {
    scopes: [
      'GenerationError'
    ],
    fields: {
      code: '',
      message: ''
    }
  },
  Acknowledgement: {
    scopes: [
      'Acknowledgement'
    ],
    fields: {
      status: '=status',
      requestId: '=id'
    }
  },
  GenerationPage: {
    scopes: [
      'GenerationPage'
    ],
    fields: {
      data: '[]Generation',
      nextCursor: ''
    }
  },
  CreateApiKeyRequest: {
    scopes: [
      'CreateApiKeyRequest'
    ],
    fields: {
      name: '',
      role: '',
      expiresAt: ''
    }
  },
  ApiKeyWithSecret: {
    scopes: [
      'ApiKeyWithSecret',
      'ApiKey'
    ],
    fields: {
      id: '=id',
      name: '',
      role: '',
      hint: '',
      organization: '',
      project: '',
      status: '',
      createdAt: '',
      createdBy: '',
      expiresAt: '',
      lastUsedAt: '',
      revokedAt: '',
      regeneratedFrom: '',
      key: ''
    }
  },
  ApiKey: {
    scopes: [
      'ApiKey'
    ],
    fields: {
      id: '=id',
      name: '',
      role: '',
      hint: '',
      organization: '',
      project: '',
      status: '',
      createdAt: '',
      createdBy: '',
      expiresAt: '',
      lastUsedAt: '',
      revokedAt: '',
      regeneratedFrom: ''
    }
  },
  ApiKeyPage: {
    scopes: [
      'ApiKeyPage'
    ],
    fields: {
      data: '[]ApiKey',
      nextCursor: ''
    }
  },
  RegenerateApiKeyRequest: {
    scopes: [
      'RegenerateApiKeyRequest'
    ],
    fields: {
      gracePeriodSeconds: ''
    }
  },
  CreateWebhookRequest: {
    scopes: [
      'CreateWebhookRequest'
    ],
    fields: {
      event: '=event',
      url: '',
      description: '',
      threshold: '',
      secret: '',
      token: ''
    }
  },
  WebhookWithSecret: {
    scopes: [
      'WebhookWithSecret',
      'Webhook'
    ],
    fields: {
      id: '=id',
      event: '=event',
      url: '',
      description: '',
      threshold: '',
      status: '',
      disabledReason: '',
      hasToken: '',
      createdAt: '',
      updatedAt: '',
      failingSince: '',
      secret: ''
    }
  },
  Webhook: {
    scopes: [
      'Webhook'
    ],
    fields: {
      id: '=id',
      event: '=event',
      url: '',
      description: '',
      threshold: '',
      status: '',
      disabledReason: '',
      hasToken: '',
      createdAt: '',
      updatedAt: '',
      failingSince: ''
    }
  },
  WebhookPage: {
    scopes: [
      'WebhookPage'
    ],
    fields: {
      data: '[]Webhook',
      nextCursor: ''
    }
  },
  UpdateWebhookRequest: {
    scopes: [
      'UpdateWebhookRequest'
    ],
    fields: {
      url: '',
      description: '',
      threshold: '',
      token: '',
      status: ''
    }
  },
  RotateWebhookSecretRequest: {
    scopes: [
      'RotateWebhookSecretRequest'
    ],
    fields: {
      overlapSeconds: '',
      force: ''
    }
  },
  Delivery: {
    scopes: [
      'Delivery'
    ],
    fields: {
      id: '=id',
      messageId: '=id',
      webhookId: '=id',
      requestId: '=id',
      event: '=event',
      url: '',
      status: '',
      createdAt: '',
      nextAttemptAt: '',
      attempts: '[]DeliveryAttempt'
    }
  },
  DeliveryAttempt: {
    scopes: [
      'DeliveryAttempt'
    ],
    fields: {
      at: '',
      status: '',
      durationMs: '',
      error: '',
      reason: '',
      response: '',
      headers: ''
    }
  },
  DeliveryPage: {
    scopes: [
      'DeliveryPage'
    ],
    fields: {
      data: '[]Delivery',
      nextCursor: ''
    }
  },
  RedeliverFailedRequest: {
    scopes: [
      'RedeliverFailedRequest'
    ],
    fields: {
      since: '',
      status: ''
    }
  },
  RedeliverFailedResult: {
    scopes: [
      'RedeliverFailedResult'
    ],
    fields: {
      count: ''
    }
  },
  SigningSecret: {
    scopes: [
      'SigningSecret'
    ],
    fields: {
      secret: '',
      createdAt: ''
    }
  },
  RotateSigningSecretRequest: {
    scopes: [
      'RotateSigningSecretRequest'
    ],
    fields: {
      overlapSeconds: '',
      force: ''
    }
  },
  RotatedSigningSecret: {
    scopes: [
      'RotatedSigningSecret'
    ],
    fields: {
      secret: '',
      createdAt: '',
      previousExpiresAt: ''
    }
  },
  Usage: {
    scopes: [
      'Usage'
    ],
    fields: {
      organization: '',
      periodStart: '',
      periodEnd: '',
      used: '',
      quota: '',
      remaining: '',
      requests: ''
    }
  },
  UsageThresholdEvent: {
    scopes: [
      'UsageThresholdEvent'
    ],
    fields: {
      event: '=event',
      organization: '',
      occurredAt: '',
      usage: '',
      threshold: '',
      quota: '',
      periodStart: '',
      periodEnd: ''
    }
  },
  InvoicePaidEvent: {
    scopes: [
      'InvoicePaidEvent'
    ],
    fields: {
      event: '=event',
      organization: '',
      occurredAt: '',
      invoice: 'Invoice'
    }
  },
  Invoice: {
    scopes: [
      'Invoice'
    ],
    fields: {
      id: '=id',
      number: '',
      amountDue: '',
      amountPaid: '',
      currency: '',
      periodStart: '',
      periodEnd: '',
      status: '',
      failureReason: ''
    }
  },
  InvoicePaymentFailedEvent: {
    scopes: [
      'InvoicePaymentFailedEvent'
    ],
    fields: {
      event: '=event',
      organization: '',
      occurredAt: '',
      invoice: 'Invoice'
    }
  },
  DataUpdatedEvent: {
    scopes: [
      'DataUpdatedEvent'
    ],
    fields: {
      event: '=event',
      organization: '',
      occurredAt: '',
      source: '',
      reason: '',
      records: '',
      updatedAt: ''
    }
  },
  GenerationCompletedCallback: {
    scopes: [
      'GenerationCompletedCallback'
    ],
    fields: {
      requestId: '=id',
      status: '=status',
      result: '',
      model: '',
      usage: 'GenerationCompletedCallback.usage',
      metadata: '',
      completedAt: ''
    }
  },
  'GenerationCompletedCallback.usage': {
    scopes: [
      'GenerationCompletedCallback.usage'
    ],
    fields: {
      totalTokens: '',
      promptTokens: '',
      completionTokens: ''
    }
  },
  GenerationFailedCallback: {
    scopes: [
      'GenerationFailedCallback'
    ],
    fields: {
      requestId: '=id',
      status: '=status',
      model: '',
      error: 'GenerationError',
      metadata: '',
      completedAt: ''
    }
  },
  GenerationStarted: {
    scopes: [
      'GenerationStarted'
    ],
    fields: {
      requestId: '=id'
    }
  },
  GenerationDelta: {
    scopes: [
      'GenerationDelta'
    ],
    fields: {
      requestId: '=id',
      delta: ''
    }
  }
};

/** The schema of the request, and those of the successful responses, of each operation. */
export const bodies: Readonly<
  Record<OperationId, { readonly request?: string; readonly responses: readonly string[] }>
> = {
  generateContent: {
    request: 'GenerateRequest',
    responses: [
      'CompletedGeneration',
      'Acknowledgement'
    ]
  },
  listGenerations: {
    responses: [
      'GenerationPage'
    ]
  },
  getGeneration: {
    responses: [
      'Generation'
    ]
  },
  cancelGeneration: {
    responses: [
      'Generation'
    ]
  },
  createApiKey: {
    request: 'CreateApiKeyRequest',
    responses: [
      'ApiKeyWithSecret'
    ]
  },
  listApiKeys: {
    responses: [
      'ApiKeyPage'
    ]
  },
  createApiKeyAlias: {
    request: 'CreateApiKeyRequest',
    responses: [
      'ApiKeyWithSecret'
    ]
  },
  getApiKey: {
    responses: [
      'ApiKey'
    ]
  },
  revokeApiKey: {
    responses: [
      'ApiKey'
    ]
  },
  regenerateApiKey: {
    request: 'RegenerateApiKeyRequest',
    responses: [
      'ApiKeyWithSecret'
    ]
  },
  createWebhook: {
    request: 'CreateWebhookRequest',
    responses: [
      'WebhookWithSecret'
    ]
  },
  listWebhooks: {
    responses: [
      'WebhookPage'
    ]
  },
  getWebhook: {
    responses: [
      'Webhook'
    ]
  },
  updateWebhook: {
    request: 'UpdateWebhookRequest',
    responses: [
      'Webhook'
    ]
  },
  deleteWebhook: {
    responses: []
  },
  rotateWebhookSecret: {
    request: 'RotateWebhookSecretRequest',
    responses: [
      'WebhookWithSecret'
    ]
  },
  testWebhook: {
    responses: [
      'Delivery'
    ]
  },
  listDeliveries: {
    responses: [
      'DeliveryPage'
    ]
  },
  redeliverFailed: {
    request: 'RedeliverFailedRequest',
    responses: [
      'RedeliverFailedResult'
    ]
  },
  listCallbackDeliveries: {
    responses: [
      'DeliveryPage'
    ]
  },
  redeliverFailedCallbacks: {
    request: 'RedeliverFailedRequest',
    responses: [
      'RedeliverFailedResult'
    ]
  },
  redeliver: {
    responses: [
      'Delivery'
    ]
  },
  getSigningSecret: {
    responses: [
      'SigningSecret'
    ]
  },
  rotateSigningSecret: {
    request: 'RotateSigningSecretRequest',
    responses: [
      'RotatedSigningSecret'
    ]
  },
  getUsage: {
    responses: [
      'Usage'
    ]
  }
};

/** The schema of each system event. */
export const payloads: Readonly<Record<string, string>> = {
  usage_threshold: 'UsageThresholdEvent',
  invoice_paid: 'InvoicePaidEvent',
  invoice_payment_failed: 'InvoicePaymentFailedEvent',
  data_updated: 'DataUpdatedEvent'
};

/** The schema of each result callback, by the type of its event. */
export const callbacks: Readonly<Record<string, string>> = {
  generation_completed: 'GenerationCompletedCallback',
  generation_failed: 'GenerationFailedCallback'
};

/** The schema of each event of a stream. */
export const streamEvents: Readonly<Record<string, string>> = {
  started: 'GenerationStarted',
  delta: 'GenerationDelta',
  completed: 'CompletedGeneration',
  failed: 'Generation',
  canceled: 'Generation'
};

/** The statuses of a generation. */
export const generationStatuses: readonly string[] = [
  'processing',
  'completed',
  'failed',
  'canceled'
];

/** A field of the contract: its name everywhere, a member of an object, or the field of one schema. */
export type FieldName =
  | 'Acknowledgement.requestId'
  | 'Acknowledgement.status'
  | 'ApiKey.createdAt'
  | 'ApiKey.createdBy'
  | 'ApiKey.expiresAt'
  | 'ApiKey.hint'
  | 'ApiKey.id'
  | 'ApiKey.lastUsedAt'
  | 'ApiKey.name'
  | 'ApiKey.organization'
  | 'ApiKey.project'
  | 'ApiKey.regeneratedFrom'
  | 'ApiKey.revokedAt'
  | 'ApiKey.role'
  | 'ApiKey.status'
  | 'ApiKeyPage.data'
  | 'ApiKeyPage.nextCursor'
  | 'ApiKeyWithSecret.createdAt'
  | 'ApiKeyWithSecret.createdBy'
  | 'ApiKeyWithSecret.expiresAt'
  | 'ApiKeyWithSecret.hint'
  | 'ApiKeyWithSecret.id'
  | 'ApiKeyWithSecret.key'
  | 'ApiKeyWithSecret.lastUsedAt'
  | 'ApiKeyWithSecret.name'
  | 'ApiKeyWithSecret.organization'
  | 'ApiKeyWithSecret.project'
  | 'ApiKeyWithSecret.regeneratedFrom'
  | 'ApiKeyWithSecret.revokedAt'
  | 'ApiKeyWithSecret.role'
  | 'ApiKeyWithSecret.status'
  | 'CompletedGeneration.completedAt'
  | 'CompletedGeneration.createdAt'
  | 'CompletedGeneration.error'
  | 'CompletedGeneration.error.code'
  | 'CompletedGeneration.error.message'
  | 'CompletedGeneration.metadata'
  | 'CompletedGeneration.model'
  | 'CompletedGeneration.requestId'
  | 'CompletedGeneration.result'
  | 'CompletedGeneration.status'
  | 'CompletedGeneration.usage'
  | 'CompletedGeneration.usage.completionTokens'
  | 'CompletedGeneration.usage.promptTokens'
  | 'CompletedGeneration.usage.totalTokens'
  | 'CompletedGeneration.webhookUrl'
  | 'CreateApiKeyRequest.expiresAt'
  | 'CreateApiKeyRequest.name'
  | 'CreateApiKeyRequest.role'
  | 'CreateWebhookRequest.description'
  | 'CreateWebhookRequest.event'
  | 'CreateWebhookRequest.secret'
  | 'CreateWebhookRequest.threshold'
  | 'CreateWebhookRequest.token'
  | 'CreateWebhookRequest.url'
  | 'DataUpdatedEvent.event'
  | 'DataUpdatedEvent.occurredAt'
  | 'DataUpdatedEvent.organization'
  | 'DataUpdatedEvent.reason'
  | 'DataUpdatedEvent.records'
  | 'DataUpdatedEvent.source'
  | 'DataUpdatedEvent.updatedAt'
  | 'Delivery.attempts'
  | 'Delivery.createdAt'
  | 'Delivery.event'
  | 'Delivery.id'
  | 'Delivery.messageId'
  | 'Delivery.nextAttemptAt'
  | 'Delivery.requestId'
  | 'Delivery.status'
  | 'Delivery.url'
  | 'Delivery.webhookId'
  | 'DeliveryAttempt.at'
  | 'DeliveryAttempt.durationMs'
  | 'DeliveryAttempt.error'
  | 'DeliveryAttempt.headers'
  | 'DeliveryAttempt.reason'
  | 'DeliveryAttempt.response'
  | 'DeliveryAttempt.status'
  | 'DeliveryPage.data'
  | 'DeliveryPage.nextCursor'
  | 'GenerateRequest.maxTokens'
  | 'GenerateRequest.metadata'
  | 'GenerateRequest.model'
  | 'GenerateRequest.prompt'
  | 'GenerateRequest.seed'
  | 'GenerateRequest.stream'
  | 'GenerateRequest.temperature'
  | 'GenerateRequest.webhookUrl'
  | 'Generation.completedAt'
  | 'Generation.createdAt'
  | 'Generation.error'
  | 'Generation.error.code'
  | 'Generation.error.message'
  | 'Generation.metadata'
  | 'Generation.model'
  | 'Generation.requestId'
  | 'Generation.result'
  | 'Generation.status'
  | 'Generation.usage'
  | 'Generation.usage.completionTokens'
  | 'Generation.usage.promptTokens'
  | 'Generation.usage.totalTokens'
  | 'Generation.webhookUrl'
  | 'GenerationCompletedCallback.completedAt'
  | 'GenerationCompletedCallback.metadata'
  | 'GenerationCompletedCallback.model'
  | 'GenerationCompletedCallback.requestId'
  | 'GenerationCompletedCallback.result'
  | 'GenerationCompletedCallback.status'
  | 'GenerationCompletedCallback.usage'
  | 'GenerationCompletedCallback.usage.completionTokens'
  | 'GenerationCompletedCallback.usage.promptTokens'
  | 'GenerationCompletedCallback.usage.totalTokens'
  | 'GenerationDelta.delta'
  | 'GenerationDelta.requestId'
  | 'GenerationError.code'
  | 'GenerationError.message'
  | 'GenerationFailedCallback.completedAt'
  | 'GenerationFailedCallback.error'
  | 'GenerationFailedCallback.error.code'
  | 'GenerationFailedCallback.error.message'
  | 'GenerationFailedCallback.metadata'
  | 'GenerationFailedCallback.model'
  | 'GenerationFailedCallback.requestId'
  | 'GenerationFailedCallback.status'
  | 'GenerationPage.data'
  | 'GenerationPage.nextCursor'
  | 'GenerationStarted.requestId'
  | 'Invoice.amountDue'
  | 'Invoice.amountPaid'
  | 'Invoice.currency'
  | 'Invoice.failureReason'
  | 'Invoice.id'
  | 'Invoice.number'
  | 'Invoice.periodEnd'
  | 'Invoice.periodStart'
  | 'Invoice.status'
  | 'InvoicePaidEvent.event'
  | 'InvoicePaidEvent.invoice'
  | 'InvoicePaidEvent.invoice.amountDue'
  | 'InvoicePaidEvent.invoice.amountPaid'
  | 'InvoicePaidEvent.invoice.currency'
  | 'InvoicePaidEvent.invoice.failureReason'
  | 'InvoicePaidEvent.invoice.id'
  | 'InvoicePaidEvent.invoice.number'
  | 'InvoicePaidEvent.invoice.periodEnd'
  | 'InvoicePaidEvent.invoice.periodStart'
  | 'InvoicePaidEvent.invoice.status'
  | 'InvoicePaidEvent.occurredAt'
  | 'InvoicePaidEvent.organization'
  | 'InvoicePaymentFailedEvent.event'
  | 'InvoicePaymentFailedEvent.invoice'
  | 'InvoicePaymentFailedEvent.invoice.amountDue'
  | 'InvoicePaymentFailedEvent.invoice.amountPaid'
  | 'InvoicePaymentFailedEvent.invoice.currency'
  | 'InvoicePaymentFailedEvent.invoice.failureReason'
  | 'InvoicePaymentFailedEvent.invoice.id'
  | 'InvoicePaymentFailedEvent.invoice.number'
  | 'InvoicePaymentFailedEvent.invoice.periodEnd'
  | 'InvoicePaymentFailedEvent.invoice.periodStart'
  | 'InvoicePaymentFailedEvent.invoice.status'
  | 'InvoicePaymentFailedEvent.occurredAt'
  | 'InvoicePaymentFailedEvent.organization'
  | 'RedeliverFailedRequest.since'
  | 'RedeliverFailedRequest.status'
  | 'RedeliverFailedResult.count'
  | 'RegenerateApiKeyRequest.gracePeriodSeconds'
  | 'RotateSigningSecretRequest.force'
  | 'RotateSigningSecretRequest.overlapSeconds'
  | 'RotateWebhookSecretRequest.force'
  | 'RotateWebhookSecretRequest.overlapSeconds'
  | 'RotatedSigningSecret.createdAt'
  | 'RotatedSigningSecret.previousExpiresAt'
  | 'RotatedSigningSecret.secret'
  | 'SigningSecret.createdAt'
  | 'SigningSecret.secret'
  | 'TokenUsage.completionTokens'
  | 'TokenUsage.promptTokens'
  | 'TokenUsage.totalTokens'
  | 'UpdateWebhookRequest.description'
  | 'UpdateWebhookRequest.status'
  | 'UpdateWebhookRequest.threshold'
  | 'UpdateWebhookRequest.token'
  | 'UpdateWebhookRequest.url'
  | 'Usage.organization'
  | 'Usage.periodEnd'
  | 'Usage.periodStart'
  | 'Usage.quota'
  | 'Usage.remaining'
  | 'Usage.requests'
  | 'Usage.used'
  | 'UsageThresholdEvent.event'
  | 'UsageThresholdEvent.occurredAt'
  | 'UsageThresholdEvent.organization'
  | 'UsageThresholdEvent.periodEnd'
  | 'UsageThresholdEvent.periodStart'
  | 'UsageThresholdEvent.quota'
  | 'UsageThresholdEvent.threshold'
  | 'UsageThresholdEvent.usage'
  | 'Webhook.createdAt'
  | 'Webhook.description'
  | 'Webhook.disabledReason'
  | 'Webhook.event'
  | 'Webhook.failingSince'
  | 'Webhook.hasToken'
  | 'Webhook.id'
  | 'Webhook.status'
  | 'Webhook.threshold'
  | 'Webhook.updatedAt'
  | 'Webhook.url'
  | 'WebhookPage.data'
  | 'WebhookPage.nextCursor'
  | 'WebhookWithSecret.createdAt'
  | 'WebhookWithSecret.description'
  | 'WebhookWithSecret.disabledReason'
  | 'WebhookWithSecret.event'
  | 'WebhookWithSecret.failingSince'
  | 'WebhookWithSecret.hasToken'
  | 'WebhookWithSecret.id'
  | 'WebhookWithSecret.secret'
  | 'WebhookWithSecret.status'
  | 'WebhookWithSecret.threshold'
  | 'WebhookWithSecret.updatedAt'
  | 'WebhookWithSecret.url'
  | 'amountDue'
  | 'amountPaid'
  | 'at'
  | 'attempts'
  | 'code'
  | 'completedAt'
  | 'completionTokens'
  | 'count'
  | 'createdAt'
  | 'createdBy'
  | 'currency'
  | 'data'
  | 'delta'
  | 'description'
  | 'disabledReason'
  | 'durationMs'
  | 'error'
  | 'error.code'
  | 'error.message'
  | 'event'
  | 'expiresAt'
  | 'failingSince'
  | 'failureReason'
  | 'force'
  | 'gracePeriodSeconds'
  | 'hasToken'
  | 'headers'
  | 'hint'
  | 'id'
  | 'invoice'
  | 'invoice.amountDue'
  | 'invoice.amountPaid'
  | 'invoice.currency'
  | 'invoice.failureReason'
  | 'invoice.id'
  | 'invoice.number'
  | 'invoice.periodEnd'
  | 'invoice.periodStart'
  | 'invoice.status'
  | 'key'
  | 'lastUsedAt'
  | 'maxTokens'
  | 'message'
  | 'messageId'
  | 'metadata'
  | 'model'
  | 'name'
  | 'nextAttemptAt'
  | 'nextCursor'
  | 'number'
  | 'occurredAt'
  | 'organization'
  | 'overlapSeconds'
  | 'periodEnd'
  | 'periodStart'
  | 'previousExpiresAt'
  | 'project'
  | 'prompt'
  | 'promptTokens'
  | 'quota'
  | 'reason'
  | 'records'
  | 'regeneratedFrom'
  | 'remaining'
  | 'requestId'
  | 'requests'
  | 'response'
  | 'result'
  | 'revokedAt'
  | 'role'
  | 'secret'
  | 'seed'
  | 'since'
  | 'source'
  | 'status'
  | 'stream'
  | 'temperature'
  | 'threshold'
  | 'token'
  | 'totalTokens'
  | 'updatedAt'
  | 'url'
  | 'usage'
  | 'usage.completionTokens'
  | 'usage.promptTokens'
  | 'usage.totalTokens'
  | 'used'
  | 'webhookId'
  | 'webhookUrl';

/** What a service may lack: a field of a request, or of a schema. */
export type AbsentField =
  | 'Acknowledgement.requestId'
  | 'Acknowledgement.status'
  | 'ApiKey.createdAt'
  | 'ApiKey.createdBy'
  | 'ApiKey.expiresAt'
  | 'ApiKey.hint'
  | 'ApiKey.id'
  | 'ApiKey.lastUsedAt'
  | 'ApiKey.name'
  | 'ApiKey.organization'
  | 'ApiKey.project'
  | 'ApiKey.regeneratedFrom'
  | 'ApiKey.revokedAt'
  | 'ApiKey.role'
  | 'ApiKey.status'
  | 'ApiKeyPage.data'
  | 'ApiKeyPage.nextCursor'
  | 'ApiKeyWithSecret.createdAt'
  | 'ApiKeyWithSecret.createdBy'
  | 'ApiKeyWithSecret.expiresAt'
  | 'ApiKeyWithSecret.hint'
  | 'ApiKeyWithSecret.id'
  | 'ApiKeyWithSecret.key'
  | 'ApiKeyWithSecret.lastUsedAt'
  | 'ApiKeyWithSecret.name'
  | 'ApiKeyWithSecret.organization'
  | 'ApiKeyWithSecret.project'
  | 'ApiKeyWithSecret.regeneratedFrom'
  | 'ApiKeyWithSecret.revokedAt'
  | 'ApiKeyWithSecret.role'
  | 'ApiKeyWithSecret.status'
  | 'CompletedGeneration.completedAt'
  | 'CompletedGeneration.createdAt'
  | 'CompletedGeneration.error'
  | 'CompletedGeneration.error.code'
  | 'CompletedGeneration.error.message'
  | 'CompletedGeneration.metadata'
  | 'CompletedGeneration.model'
  | 'CompletedGeneration.requestId'
  | 'CompletedGeneration.result'
  | 'CompletedGeneration.status'
  | 'CompletedGeneration.usage'
  | 'CompletedGeneration.usage.completionTokens'
  | 'CompletedGeneration.usage.promptTokens'
  | 'CompletedGeneration.usage.totalTokens'
  | 'CompletedGeneration.webhookUrl'
  | 'DataUpdatedEvent.event'
  | 'DataUpdatedEvent.occurredAt'
  | 'DataUpdatedEvent.organization'
  | 'DataUpdatedEvent.reason'
  | 'DataUpdatedEvent.records'
  | 'DataUpdatedEvent.source'
  | 'DataUpdatedEvent.updatedAt'
  | 'Delivery.attempts'
  | 'Delivery.createdAt'
  | 'Delivery.event'
  | 'Delivery.id'
  | 'Delivery.messageId'
  | 'Delivery.nextAttemptAt'
  | 'Delivery.requestId'
  | 'Delivery.status'
  | 'Delivery.url'
  | 'Delivery.webhookId'
  | 'DeliveryAttempt.at'
  | 'DeliveryAttempt.durationMs'
  | 'DeliveryAttempt.error'
  | 'DeliveryAttempt.headers'
  | 'DeliveryAttempt.reason'
  | 'DeliveryAttempt.response'
  | 'DeliveryAttempt.status'
  | 'DeliveryPage.data'
  | 'DeliveryPage.nextCursor'
  | 'Generation.completedAt'
  | 'Generation.createdAt'
  | 'Generation.error'
  | 'Generation.error.code'
  | 'Generation.error.message'
  | 'Generation.metadata'
  | 'Generation.model'
  | 'Generation.requestId'
  | 'Generation.result'
  | 'Generation.status'
  | 'Generation.usage'
  | 'Generation.usage.completionTokens'
  | 'Generation.usage.promptTokens'
  | 'Generation.usage.totalTokens'
  | 'Generation.webhookUrl'
  | 'GenerationCompletedCallback.completedAt'
  | 'GenerationCompletedCallback.metadata'
  | 'GenerationCompletedCallback.model'
  | 'GenerationCompletedCallback.requestId'
  | 'GenerationCompletedCallback.result'
  | 'GenerationCompletedCallback.status'
  | 'GenerationCompletedCallback.usage'
  | 'GenerationCompletedCallback.usage.completionTokens'
  | 'GenerationCompletedCallback.usage.promptTokens'
  | 'GenerationCompletedCallback.usage.totalTokens'
  | 'GenerationDelta.delta'
  | 'GenerationDelta.requestId'
  | 'GenerationError.code'
  | 'GenerationError.message'
  | 'GenerationFailedCallback.completedAt'
  | 'GenerationFailedCallback.error'
  | 'GenerationFailedCallback.error.code'
  | 'GenerationFailedCallback.error.message'
  | 'GenerationFailedCallback.metadata'
  | 'GenerationFailedCallback.model'
  | 'GenerationFailedCallback.requestId'
  | 'GenerationFailedCallback.status'
  | 'GenerationPage.data'
  | 'GenerationPage.nextCursor'
  | 'GenerationStarted.requestId'
  | 'Invoice.amountDue'
  | 'Invoice.amountPaid'
  | 'Invoice.currency'
  | 'Invoice.failureReason'
  | 'Invoice.id'
  | 'Invoice.number'
  | 'Invoice.periodEnd'
  | 'Invoice.periodStart'
  | 'Invoice.status'
  | 'InvoicePaidEvent.event'
  | 'InvoicePaidEvent.invoice'
  | 'InvoicePaidEvent.invoice.amountDue'
  | 'InvoicePaidEvent.invoice.amountPaid'
  | 'InvoicePaidEvent.invoice.currency'
  | 'InvoicePaidEvent.invoice.failureReason'
  | 'InvoicePaidEvent.invoice.id'
  | 'InvoicePaidEvent.invoice.number'
  | 'InvoicePaidEvent.invoice.periodEnd'
  | 'InvoicePaidEvent.invoice.periodStart'
  | 'InvoicePaidEvent.invoice.status'
  | 'InvoicePaidEvent.occurredAt'
  | 'InvoicePaidEvent.organization'
  | 'InvoicePaymentFailedEvent.event'
  | 'InvoicePaymentFailedEvent.invoice'
  | 'InvoicePaymentFailedEvent.invoice.amountDue'
  | 'InvoicePaymentFailedEvent.invoice.amountPaid'
  | 'InvoicePaymentFailedEvent.invoice.currency'
  | 'InvoicePaymentFailedEvent.invoice.failureReason'
  | 'InvoicePaymentFailedEvent.invoice.id'
  | 'InvoicePaymentFailedEvent.invoice.number'
  | 'InvoicePaymentFailedEvent.invoice.periodEnd'
  | 'InvoicePaymentFailedEvent.invoice.periodStart'
  | 'InvoicePaymentFailedEvent.invoice.status'
  | 'InvoicePaymentFailedEvent.occurredAt'
  | 'InvoicePaymentFailedEvent.organization'
  | 'RedeliverFailedResult.count'
  | 'RotatedSigningSecret.createdAt'
  | 'RotatedSigningSecret.previousExpiresAt'
  | 'RotatedSigningSecret.secret'
  | 'SigningSecret.createdAt'
  | 'SigningSecret.secret'
  | 'TokenUsage.completionTokens'
  | 'TokenUsage.promptTokens'
  | 'TokenUsage.totalTokens'
  | 'Usage.organization'
  | 'Usage.periodEnd'
  | 'Usage.periodStart'
  | 'Usage.quota'
  | 'Usage.remaining'
  | 'Usage.requests'
  | 'Usage.used'
  | 'UsageThresholdEvent.event'
  | 'UsageThresholdEvent.occurredAt'
  | 'UsageThresholdEvent.organization'
  | 'UsageThresholdEvent.periodEnd'
  | 'UsageThresholdEvent.periodStart'
  | 'UsageThresholdEvent.quota'
  | 'UsageThresholdEvent.threshold'
  | 'UsageThresholdEvent.usage'
  | 'Webhook.createdAt'
  | 'Webhook.description'
  | 'Webhook.disabledReason'
  | 'Webhook.event'
  | 'Webhook.failingSince'
  | 'Webhook.hasToken'
  | 'Webhook.id'
  | 'Webhook.status'
  | 'Webhook.threshold'
  | 'Webhook.updatedAt'
  | 'Webhook.url'
  | 'WebhookPage.data'
  | 'WebhookPage.nextCursor'
  | 'WebhookWithSecret.createdAt'
  | 'WebhookWithSecret.description'
  | 'WebhookWithSecret.disabledReason'
  | 'WebhookWithSecret.event'
  | 'WebhookWithSecret.failingSince'
  | 'WebhookWithSecret.hasToken'
  | 'WebhookWithSecret.id'
  | 'WebhookWithSecret.secret'
  | 'WebhookWithSecret.status'
  | 'WebhookWithSecret.threshold'
  | 'WebhookWithSecret.updatedAt'
  | 'WebhookWithSecret.url'
  | 'createApiKey.expiresAt'
  | 'createApiKey.name'
  | 'createApiKey.role'
  | 'createApiKeyAlias.expiresAt'
  | 'createApiKeyAlias.name'
  | 'createApiKeyAlias.role'
  | 'createWebhook.description'
  | 'createWebhook.event'
  | 'createWebhook.secret'
  | 'createWebhook.threshold'
  | 'createWebhook.token'
  | 'createWebhook.url'
  | 'generateContent.maxTokens'
  | 'generateContent.metadata'
  | 'generateContent.model'
  | 'generateContent.prompt'
  | 'generateContent.seed'
  | 'generateContent.stream'
  | 'generateContent.temperature'
  | 'generateContent.webhookUrl'
  | 'redeliverFailed.since'
  | 'redeliverFailed.status'
  | 'redeliverFailedCallbacks.since'
  | 'redeliverFailedCallbacks.status'
  | 'regenerateApiKey.gracePeriodSeconds'
  | 'rotateSigningSecret.force'
  | 'rotateSigningSecret.overlapSeconds'
  | 'rotateWebhookSecret.force'
  | 'rotateWebhookSecret.overlapSeconds'
  | 'updateWebhook.description'
  | 'updateWebhook.status'
  | 'updateWebhook.threshold'
  | 'updateWebhook.token'
  | 'updateWebhook.url';
