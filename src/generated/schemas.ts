// Generated from openapi.yaml by `npm run generate`. Do not edit.

import * as z from 'zod/v4-mini';

/**
 * A time in RFC 3339 format, UTC, with milliseconds.
 */
export const Timestamp = /*@__PURE__*/ z.iso.datetime({ offset: true });

/**
 * `member` can generate content, read and cancel the project's generations, and read usage. `admin` can do
 * everything.
 *
 */
export const Role = /*@__PURE__*/ z.enum(['admin', 'member']);

/**
 * A `processing` generation becomes `completed`, `failed` or `canceled`. There are no other transitions.
 *
 */
export const GenerationStatus = /*@__PURE__*/ z.enum([
    'processing',
    'completed',
    'failed',
    'canceled'
]);

/**
 * Up to 16 key-value pairs chosen by the caller, all strings, echoed in the generation and its callback.
 */
export const Metadata = /*@__PURE__*/ z.record(/*@__PURE__*/ z.string(), /*@__PURE__*/ z.string()).check(/*@__PURE__*/ z.refine((value: object) => Object.keys(value).length <= 16, { error: 'Must have at most 16 fields.' }));

/**
 * Tokens used by a completed generation.
 */
export const TokenUsage = /*@__PURE__*/ z.looseObject({
    totalTokens: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
    promptTokens: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
    completionTokens: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0))
});

/**
 * Why a generation failed.
 */
export const GenerationError = /*@__PURE__*/ z.looseObject({
    code: /*@__PURE__*/ z.string(),
    message: /*@__PURE__*/ z.string()
});

/**
 * The parameters of a generation.
 */
export const GenerateRequest = /*@__PURE__*/ z.strictObject({
    prompt: /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.minLength(1), /*@__PURE__*/ z.maxLength(100000)),
    webhookUrl: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.url().check(/*@__PURE__*/ z.maxLength(2048))),
    model: /*@__PURE__*/ z._default(/*@__PURE__*/ z.optional(/*@__PURE__*/ z.string().check(/*@__PURE__*/ z.minLength(1), /*@__PURE__*/ z.maxLength(128))), 'content-1'),
    maxTokens: /*@__PURE__*/ z._default(/*@__PURE__*/ z.optional(/*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(1), /*@__PURE__*/ z.lte(32768))), 512),
    temperature: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.number().check(/*@__PURE__*/ z.gte(0), /*@__PURE__*/ z.lte(2))),
    seed: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0), /*@__PURE__*/ z.lte(9007199254740991))),
    metadata: /*@__PURE__*/ z.optional(Metadata),
    stream: /*@__PURE__*/ z._default(/*@__PURE__*/ z.optional(/*@__PURE__*/ z.boolean()), false)
});

/**
 * Response to a request with `webhookUrl`.
 */
export const Acknowledgement = /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal('processing'),
    requestId: /*@__PURE__*/ z.string()
});

/**
 * A generation and its outcome.
 */
export const Generation = /*@__PURE__*/ z.looseObject({
    requestId: /*@__PURE__*/ z.string(),
    status: GenerationStatus,
    model: /*@__PURE__*/ z.string(),
    result: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    usage: /*@__PURE__*/ z.optional(TokenUsage),
    error: /*@__PURE__*/ z.optional(GenerationError),
    webhookUrl: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    metadata: /*@__PURE__*/ z.optional(Metadata),
    createdAt: Timestamp,
    completedAt: /*@__PURE__*/ z.optional(Timestamp)
});

/**
 * A completed generation, with its result and usage.
 */
export const CompletedGeneration = /*@__PURE__*/ z.intersection(Generation, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal('completed'),
    result: /*@__PURE__*/ z.string(),
    usage: TokenUsage
}));

/**
 * Data of a `generation.started` event, which names the generation.
 */
export const GenerationStarted = /*@__PURE__*/ z.looseObject({
    requestId: /*@__PURE__*/ z.string()
});

/**
 * Data of a `generation.delta` event.
 */
export const GenerationDelta = /*@__PURE__*/ z.looseObject({
    requestId: /*@__PURE__*/ z.string(),
    delta: /*@__PURE__*/ z.string()
});

/**
 * Data of one server-sent event: `GenerationStarted` for `generation.started`, a `GenerationDelta` for `generation.delta`; the full `Generation` for
 * `generation.completed`, `generation.failed` and `generation.canceled`.
 *
 */
export const GenerationStreamData = /*@__PURE__*/ z.union([
    GenerationStarted,
    GenerationDelta,
    Generation
]);

/**
 * Cursor of the next page; `null` on the last page.
 */
export const NextCursor = /*@__PURE__*/ z.nullable(/*@__PURE__*/ z.string());

/**
 * A page of generations, newest first.
 */
export const GenerationPage = /*@__PURE__*/ z.looseObject({
    data: /*@__PURE__*/ z.array(Generation),
    nextCursor: NextCursor
});

/**
 * Only `active` keys authenticate.
 */
export const ApiKeyStatus = /*@__PURE__*/ z.enum([
    'active',
    'revoked',
    'expired'
]);

/**
 * The fields of a new API key.
 */
export const CreateApiKeyRequest = /*@__PURE__*/ z.strictObject({
    name: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string().check(/*@__PURE__*/ z.minLength(1), /*@__PURE__*/ z.maxLength(100))),
    role: /*@__PURE__*/ z._default(/*@__PURE__*/ z.optional(Role), 'member'),
    expiresAt: /*@__PURE__*/ z.nullish(/*@__PURE__*/ z.iso.datetime({ offset: true }))
});

/**
 * How long the old key stays valid.
 */
export const RegenerateApiKeyRequest = /*@__PURE__*/ z.strictObject({
    gracePeriodSeconds: /*@__PURE__*/ z._default(/*@__PURE__*/ z.optional(/*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0), /*@__PURE__*/ z.lte(604800))), 0)
});

/**
 * An API key of a project, without the key itself.
 */
export const ApiKey = /*@__PURE__*/ z.looseObject({
    id: /*@__PURE__*/ z.string(),
    name: /*@__PURE__*/ z.string(),
    role: Role,
    hint: /*@__PURE__*/ z.string(),
    organization: /*@__PURE__*/ z.string(),
    project: /*@__PURE__*/ z.string(),
    status: ApiKeyStatus,
    createdAt: Timestamp,
    createdBy: /*@__PURE__*/ z.string(),
    expiresAt: /*@__PURE__*/ z.nullable(/*@__PURE__*/ z.iso.datetime({ offset: true })),
    lastUsedAt: /*@__PURE__*/ z.optional(Timestamp),
    revokedAt: /*@__PURE__*/ z.optional(Timestamp),
    regeneratedFrom: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string())
});

/**
 * A new API key. Only this response contains `key`.
 */
export const ApiKeyWithSecret = /*@__PURE__*/ z.intersection(ApiKey, /*@__PURE__*/ z.looseObject({
    key: /*@__PURE__*/ z.string()
}));

/**
 * A page of API keys, newest first.
 */
export const ApiKeyPage = /*@__PURE__*/ z.looseObject({
    data: /*@__PURE__*/ z.array(ApiKey),
    nextCursor: NextCursor
});

/**
 * Type of a system event.
 */
export const WebhookEvent = /*@__PURE__*/ z.enum([
    'usage_threshold',
    'invoice_paid',
    'invoice_payment_failed',
    'data_updated'
]);

/**
 * Nothing is delivered to a `disabled` registration.
 */
export const WebhookStatus = /*@__PURE__*/ z.enum(['enabled', 'disabled']);

/**
 * A signing secret: `whsec_` followed by 24 to 64 bytes in standard base64.
 */
export const SecretValue = /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.regex(/^whsec_[A-Za-z0-9+\/]{32,88}={0,2}$/));

/**
 * The fields of a new registration.
 */
export const CreateWebhookRequest = /*@__PURE__*/ z.strictObject({
    event: WebhookEvent,
    url: /*@__PURE__*/ z.url().check(/*@__PURE__*/ z.maxLength(2048)),
    description: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string().check(/*@__PURE__*/ z.maxLength(500))),
    threshold: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.number().check(/*@__PURE__*/ z.gt(0), /*@__PURE__*/ z.lte(1))),
    secret: /*@__PURE__*/ z.optional(SecretValue),
    token: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string().check(/*@__PURE__*/ z.minLength(16), /*@__PURE__*/ z.maxLength(256), /*@__PURE__*/ z.regex(/^[\x21-\x7e]+$/)))
});

/**
 * The fields of a registration to change.
 */
export const UpdateWebhookRequest = /*@__PURE__*/ z.strictObject({
    url: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.url().check(/*@__PURE__*/ z.maxLength(2048))),
    description: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string().check(/*@__PURE__*/ z.maxLength(500))),
    threshold: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.number().check(/*@__PURE__*/ z.gt(0), /*@__PURE__*/ z.lte(1))),
    token: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string().check(/*@__PURE__*/ z.minLength(16), /*@__PURE__*/ z.maxLength(256), /*@__PURE__*/ z.regex(/^[\x21-\x7e]+$/))),
    status: /*@__PURE__*/ z.optional(WebhookStatus)
}).check(/*@__PURE__*/ z.refine((value: object) => Object.keys(value).length >= 1, { error: 'Must have at least 1 field(s).' }));

/**
 * How long deliveries carry both signatures, 0 to 604 800 seconds.
 */
export const OverlapSeconds = /*@__PURE__*/ z._default(/*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0), /*@__PURE__*/ z.lte(604800)), 86400);

/**
 * Rotates even during an overlap. The oldest secret is dropped immediately.
 */
export const ForceRotation = /*@__PURE__*/ z._default(/*@__PURE__*/ z.boolean(), false);

/**
 * How long the previous secret of the registration stays valid.
 */
export const RotateWebhookSecretRequest = /*@__PURE__*/ z.strictObject({
    overlapSeconds: /*@__PURE__*/ z.optional(OverlapSeconds),
    force: /*@__PURE__*/ z.optional(ForceRotation)
});

/**
 * How long the previous secret of the project stays valid.
 */
export const RotateSigningSecretRequest = /*@__PURE__*/ z.strictObject({
    overlapSeconds: /*@__PURE__*/ z.optional(OverlapSeconds),
    force: /*@__PURE__*/ z.optional(ForceRotation)
});

/**
 * A registration for one system event.
 */
export const Webhook = /*@__PURE__*/ z.looseObject({
    id: /*@__PURE__*/ z.string(),
    event: WebhookEvent,
    url: /*@__PURE__*/ z.string(),
    description: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    threshold: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.number()),
    status: WebhookStatus,
    disabledReason: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    hasToken: /*@__PURE__*/ z.boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    failingSince: /*@__PURE__*/ z.optional(Timestamp)
});

/**
 * A registration with its signing secret, which is never returned again.
 */
export const WebhookWithSecret = /*@__PURE__*/ z.intersection(Webhook, /*@__PURE__*/ z.looseObject({
    secret: SecretValue
}));

/**
 * A page of registrations, newest first.
 */
export const WebhookPage = /*@__PURE__*/ z.looseObject({
    data: /*@__PURE__*/ z.array(Webhook),
    nextCursor: NextCursor
});

/**
 * The project's signing secret, which signs result callbacks.
 */
export const SigningSecret = /*@__PURE__*/ z.looseObject({
    secret: SecretValue,
    createdAt: Timestamp
});

/**
 * The project's new signing secret.
 */
export const RotatedSigningSecret = /*@__PURE__*/ z.looseObject({
    secret: SecretValue,
    createdAt: Timestamp,
    previousExpiresAt: Timestamp
});

/**
 * Where a page starts. Opaque; pass it back unchanged.
 */
export const Cursor = /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.minLength(1), /*@__PURE__*/ z.maxLength(512));

/**
 * `pending` until an attempt succeeds (`delivered`), the last retry fails (`failed`), or the registration is
 * deleted or disabled (`canceled`).
 *
 */
export const DeliveryStatus = /*@__PURE__*/ z.enum([
    'pending',
    'delivered',
    'failed',
    'canceled'
]);

/**
 * One attempt to post a delivery.
 */
export const DeliveryAttempt = /*@__PURE__*/ z.looseObject({
    at: Timestamp,
    status: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(100), /*@__PURE__*/ z.lte(599))),
    durationMs: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
    error: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.enum([
        'timeout',
        'refused',
        'reset',
        'certificate',
        'dns',
        'refused_address',
        'status',
        'connection'
    ])),
    reason: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string().check(/*@__PURE__*/ z.maxLength(512))),
    response: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string().check(/*@__PURE__*/ z.maxLength(1024))),
    headers: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.record(/*@__PURE__*/ z.string(), /*@__PURE__*/ z.string()))
});

/**
 * A message to one URL, with its delivery attempts.
 */
export const Delivery = /*@__PURE__*/ z.looseObject({
    id: /*@__PURE__*/ z.string(),
    messageId: /*@__PURE__*/ z.string(),
    webhookId: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    requestId: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    event: /*@__PURE__*/ z.string(),
    url: /*@__PURE__*/ z.string(),
    status: DeliveryStatus,
    createdAt: Timestamp,
    nextAttemptAt: /*@__PURE__*/ z.optional(Timestamp),
    attempts: /*@__PURE__*/ z.array(DeliveryAttempt)
});

/**
 * A page of deliveries, newest first.
 */
export const DeliveryPage = /*@__PURE__*/ z.looseObject({
    data: /*@__PURE__*/ z.array(Delivery),
    nextCursor: NextCursor
});

/**
 * Which deliveries to redeliver.
 */
export const RedeliverFailedRequest = /*@__PURE__*/ z.strictObject({
    since: Timestamp,
    status: /*@__PURE__*/ z._default(/*@__PURE__*/ z.optional(/*@__PURE__*/ z.enum(['failed', 'delivered'])), 'failed')
});

/**
 * How many deliveries were requeued.
 */
export const RedeliverFailedResult = /*@__PURE__*/ z.looseObject({
    count: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0))
});

/**
 * An organization's usage in the current period, in tokens.
 */
export const Usage = /*@__PURE__*/ z.looseObject({
    organization: /*@__PURE__*/ z.string(),
    periodStart: Timestamp,
    periodEnd: Timestamp,
    used: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
    quota: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
    remaining: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
    requests: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0))
});

/**
 * When the generation ended, the same on every attempt; `webhook-timestamp` is the time of the attempt. The
 * service always sends it; receivers must work without it.
 *
 */
export const CallbackCompletedAt = /*@__PURE__*/ z.iso.datetime({ offset: true });

/**
 * Result callback of a completed generation.
 */
export const GenerationCompletedCallback = /*@__PURE__*/ z.looseObject({
    requestId: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    status: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.literal('completed')),
    result: /*@__PURE__*/ z.string(),
    model: /*@__PURE__*/ z.string(),
    usage: /*@__PURE__*/ z.looseObject({
        totalTokens: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
        promptTokens: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0))),
        completionTokens: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)))
    }),
    metadata: /*@__PURE__*/ z.optional(Metadata),
    completedAt: /*@__PURE__*/ z.optional(CallbackCompletedAt)
});

/**
 * Result callback of a failed generation.
 */
export const GenerationFailedCallback = /*@__PURE__*/ z.looseObject({
    requestId: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    status: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.literal('failed')),
    model: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    error: GenerationError,
    metadata: /*@__PURE__*/ z.optional(Metadata),
    completedAt: /*@__PURE__*/ z.optional(CallbackCompletedAt)
});

/**
 * The body posted to the caller's `webhookUrl`.
 */
export const GenerationResultCallback = /*@__PURE__*/ z.union([
    GenerationCompletedCallback,
    GenerationFailedCallback
]);

/**
 * When the event happened, the same on every attempt. Use it to order events: `webhook-timestamp` is the time of
 * the attempt. The service always sends it; receivers must work without it.
 *
 */
export const OccurredAt = /*@__PURE__*/ z.iso.datetime({ offset: true });

/**
 * Body of a `usage_threshold` event.
 */
export const UsageThresholdEvent = /*@__PURE__*/ z.looseObject({
    event: /*@__PURE__*/ z.literal('usage_threshold'),
    organization: /*@__PURE__*/ z.string(),
    occurredAt: /*@__PURE__*/ z.optional(OccurredAt),
    usage: /*@__PURE__*/ z.number(),
    threshold: /*@__PURE__*/ z.number(),
    quota: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.number()),
    periodStart: /*@__PURE__*/ z.optional(Timestamp),
    periodEnd: /*@__PURE__*/ z.optional(Timestamp)
});

/**
 * State of an invoice.
 */
export const InvoiceStatus = /*@__PURE__*/ z.enum([
    'open',
    'paid',
    'payment_failed'
]);

/**
 * An organization's invoice. Amounts are in minor units of the currency.
 */
export const Invoice = /*@__PURE__*/ z.looseObject({
    id: /*@__PURE__*/ z.string(),
    number: /*@__PURE__*/ z.string(),
    amountDue: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
    amountPaid: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
    currency: /*@__PURE__*/ z.string(),
    periodStart: Timestamp,
    periodEnd: Timestamp,
    status: InvoiceStatus,
    failureReason: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string())
});

/**
 * Body of an `invoice_paid` event.
 */
export const InvoicePaidEvent = /*@__PURE__*/ z.looseObject({
    event: /*@__PURE__*/ z.literal('invoice_paid'),
    organization: /*@__PURE__*/ z.string(),
    occurredAt: /*@__PURE__*/ z.optional(OccurredAt),
    invoice: Invoice
});

/**
 * Body of an `invoice_payment_failed` event.
 */
export const InvoicePaymentFailedEvent = /*@__PURE__*/ z.looseObject({
    event: /*@__PURE__*/ z.literal('invoice_payment_failed'),
    organization: /*@__PURE__*/ z.string(),
    occurredAt: /*@__PURE__*/ z.optional(OccurredAt),
    invoice: Invoice
});

/**
 * Body of a `data_updated` event.
 */
export const DataUpdatedEvent = /*@__PURE__*/ z.looseObject({
    event: /*@__PURE__*/ z.literal('data_updated'),
    organization: /*@__PURE__*/ z.string(),
    occurredAt: /*@__PURE__*/ z.optional(OccurredAt),
    source: /*@__PURE__*/ z.string(),
    reason: /*@__PURE__*/ z.enum(['ingestion_completed', 'external_change']),
    records: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(0)),
    updatedAt: Timestamp
});

/**
 * Problem details (RFC 9457).
 */
export const Problem = /*@__PURE__*/ z.looseObject({
    type: /*@__PURE__*/ z.string(),
    title: /*@__PURE__*/ z.string(),
    status: /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(400), /*@__PURE__*/ z.lte(599)),
    detail: /*@__PURE__*/ z.string(),
    code: /*@__PURE__*/ z.string(),
    requestId: /*@__PURE__*/ z.string()
});

/**
 * One error in a request. `pointer` locates it in the body; `parameter` names a query parameter.
 */
export const FieldError = /*@__PURE__*/ z.looseObject({
    pointer: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    parameter: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string()),
    code: /*@__PURE__*/ z.string(),
    message: /*@__PURE__*/ z.string()
});

/**
 * Problem details of a 400 response.
 */
export const BadRequestProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(400),
    code: /*@__PURE__*/ z.enum(['invalid_json', 'invalid_request'])
}));

/**
 * Problem details of a 401 response.
 */
export const UnauthorizedProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(401),
    code: /*@__PURE__*/ z.enum([
        'missing_credentials',
        'invalid_api_key',
        'revoked_api_key',
        'expired_api_key',
        'invalid_token',
        'expired_token',
        'multiple_credentials'
    ])
}));

/**
 * Problem details of a 403 response.
 */
export const ForbiddenProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(403),
    code: /*@__PURE__*/ z.literal('insufficient_permissions')
}));

/**
 * Problem details of a 404 response.
 */
export const NotFoundProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(404),
    code: /*@__PURE__*/ z.literal('not_found')
}));

/**
 * Problem details of a 405 response.
 */
export const MethodNotAllowedProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(405),
    code: /*@__PURE__*/ z.literal('method_not_allowed')
}));

/**
 * Problem details of a 409 response.
 */
export const ConflictProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(409),
    code: /*@__PURE__*/ z.enum(['idempotency_in_progress', 'invalid_state'])
}));

/**
 * Problem details of a 413 response.
 */
export const PayloadTooLargeProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(413),
    code: /*@__PURE__*/ z.literal('payload_too_large')
}));

/**
 * Problem details of a 415 response.
 */
export const UnsupportedMediaTypeProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(415),
    code: /*@__PURE__*/ z.literal('unsupported_media_type')
}));

/**
 * Problem details of a 422 response.
 */
export const UnprocessableProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(422),
    code: /*@__PURE__*/ z.enum([
        'validation_failed',
        'model_not_found',
        'idempotency_key_reused'
    ]),
    errors: /*@__PURE__*/ z.array(FieldError)
}));

/**
 * Problem details of a 429 response, when the rate limit is exceeded.
 */
export const RateLimitedProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(429),
    code: /*@__PURE__*/ z.literal('rate_limited')
}));

/**
 * Problem details of a 429 response, when the monthly quota is used up.
 */
export const QuotaExceededProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(429),
    code: /*@__PURE__*/ z.literal('quota_exceeded'),
    resetsAt: Timestamp
}));

/**
 * Problem details of a 429 response.
 */
export const TooManyRequestsProblem = /*@__PURE__*/ z.union([
    RateLimitedProblem,
    QuotaExceededProblem
]);

/**
 * Problem details of a 500 response.
 */
export const InternalErrorProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(500),
    code: /*@__PURE__*/ z.enum(['internal_error', 'generation_failed']),
    generationId: /*@__PURE__*/ z.optional(/*@__PURE__*/ z.string())
}));

/**
 * Problem details of a 503 response.
 */
export const UnavailableProblem = /*@__PURE__*/ z.intersection(Problem, /*@__PURE__*/ z.looseObject({
    status: /*@__PURE__*/ z.literal(503),
    code: /*@__PURE__*/ z.literal('unavailable')
}));

/**
 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
 * 24 hours per project, operation and path parameters.
 *
 */
export const IdempotencyKey = /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.minLength(1), /*@__PURE__*/ z.maxLength(255), /*@__PURE__*/ z.regex(/^[\x21-\x7e]+$/));

/**
 * With server-sent events, the `id:` of the last event that was received.
 */
export const LastEventId = /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.regex(/^[0-9]+$/));

/**
 * Items per page, 1 to 100.
 */
export const Limit = /*@__PURE__*/ z._default(/*@__PURE__*/ z.int().check(/*@__PURE__*/ z.gte(1), /*@__PURE__*/ z.lte(100)), 20);

/**
 * Only items created at or after this time, in RFC 3339 format. Use it to find what a receiver missed.
 */
export const Since = /*@__PURE__*/ z.iso.datetime({ offset: true });

/**
 * Identifier of the generation.
 */
export const GenerationId = /*@__PURE__*/ z.string();

/**
 * Identifier of the API key (never the key itself).
 */
export const ApiKeyId = /*@__PURE__*/ z.string();

/**
 * Identifier of the registration.
 */
export const WebhookRegistrationId = /*@__PURE__*/ z.string();

/**
 * Identifier of the delivery.
 */
export const DeliveryId = /*@__PURE__*/ z.string();

/**
 * Identifier of the message, the same on every attempt. Use it as the idempotency key in the receiver.
 */
export const WebhookId = /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.regex(/^[A-Za-z0-9_-]{1,255}$/));

/**
 * Time of this attempt, in Unix seconds.
 */
export const WebhookTimestamp = /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.regex(/^[1-9][0-9]{0,11}$/));

/**
 * A space-separated list of `v1,<base64>`, one entry per active secret, newest first. Each entry is the
 * HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the bytes encoded after `whsec_`.
 *
 */
export const ServiceSignature = /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.maxLength(2048));

/**
 * The same value as `X-Service-Signature`, for Standard Webhooks libraries.
 */
export const WebhookSignature = /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.maxLength(2048));

/**
 * The registration's `token`, verbatim, if it has one.
 */
export const ServiceToken = /*@__PURE__*/ z.string().check(/*@__PURE__*/ z.minLength(16), /*@__PURE__*/ z.maxLength(256));
