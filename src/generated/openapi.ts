// Generated from openapi.yaml by `npm run generate`. Do not edit.
/** The operations of the contract by path and method, as openapi-fetch takes them. */
export interface paths {
    "/api-keys/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an API key (alternative path)
         * @deprecated
         * The same operation as `createApiKey`, on the alternative path named by the service's specification.
         */
        post: operations["createApiKeyAlias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/content/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List generations
         * The generations of the caller's project, newest first.
         */
        get: operations["listGenerations"];
        put?: never;
        /**
         * Generate content from a prompt
         * Without `webhookUrl`, the response is the completed generation (200). With `webhookUrl`, the service
         *     acknowledges immediately (202), processes in the background and posts the result to that URL. With
         *     `stream: true`, the response is a stream of server-sent events: `generation.started` at once, `generation.delta`
         *     events, then exactly one of
         *     `generation.completed`, `generation.failed` or `generation.canceled` with the full generation. A `: ping`
         *     comment is sent after every 10 s of silence. Each event has an `id:`, whole numbers from 1. Once the last reader
         *     has left, the generation continues for 60 s, so that `getGeneration` or a repetition under the same idempotency
         *     key can go on reading after `Last-Event-ID`; then it is canceled. Leaving a synchronous call that has no
         *     idempotency key cancels its generation. `stream` and `webhookUrl` cannot be combined (422).
         *
         *     When the monthly quota is used up, new generations are rejected with 429 `quota_exceeded`. If the model fails
         *     during a synchronous generation, the response is 500 `generation_failed` and the record is kept as `failed`.
         */
        post: operations["generateContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/content/generate/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a generation
         * Returns the current state of a generation, for example when its callback was lost. With
         *     `Accept: text/event-stream`, the response is the stream of its events, however it was begun: after
         *     `Last-Event-ID` or from its beginning, and live to its end event. It can have any number of readers. The text so
         *     far can come as one `generation.delta`. After the end event, the response is 204, so that an `EventSource` does
         *     not connect again.
         */
        get: operations["getGeneration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/content/generate/{requestId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a generation
         * Only a `processing` generation can be canceled; otherwise the response is 409 `invalid_state`. No callback is posted.
         */
        post: operations["cancelGeneration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * The API keys of the caller's project, newest first, without the keys themselves.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * The response contains the new key. It is shown once and cannot be retrieved again: the service stores only its
         *     hash. Keys do not expire unless `expiresAt` is set.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * One API key of the caller's project, without the key itself.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-keys/{id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Regenerate an API key
         * Creates a new key with the old key's name, role and `expiresAt`. Without a grace period, the old key is revoked
         *     immediately. With one, the old key stays active until the grace period ends or the key expires, whichever is
         *     first. A revoked or expired key cannot be regenerated (409 `invalid_state`). A key can regenerate itself.
         */
        post: operations["regenerateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * Takes effect immediately and is idempotent. A key can revoke itself.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of the current period
         * Tokens used by the caller's organization in the current calendar month (UTC), and its quota.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * The registrations of the caller's project, newest first, without their secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook
         * The service posts each occurrence of `event` to `url`. The response contains the signing secret; it is never
         *     returned again.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * One registration of the caller's project, without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * Deletes the registration and cancels its pending deliveries.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * Updates the given fields and leaves the others unchanged. `event` cannot be changed. Disabling a registration
         *     cancels its pending deliveries; events create no deliveries while it is disabled. Enabling it clears
         *     `disabledReason` and `failingSince`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook's deliveries
         * The deliveries of one registration with their attempts, newest first.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a registration's deliveries since a given time
         * Requeues every failed delivery of the registration created at or after `since`, with the same bytes and the
         *     same `webhook-id`; the retry schedule starts over. With `status: delivered`, those that the receiver has
         *     acknowledged instead. Returns 409 `invalid_state` if the registration is disabled.
         */
        post: operations["redeliverFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook's signing secret
         * Until the overlap ends, deliveries carry both signatures, newest first. Rotating again during an overlap
         *     returns 409 `invalid_state` unless `force` is set.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * Sends a sample of the registration's event to its URL. Returns 409 `invalid_state` if the registration is disabled.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List result callback deliveries
         * The result callback deliveries of the caller's project, newest first.
         */
        get: operations["listCallbackDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver one delivery
         * Sends the same bytes with the same `webhook-id`; the retry schedule starts over. If the delivery is still
         *     `pending`, its next attempt starts now and the schedule continues. Returns 409 `invalid_state` while an attempt
         *     is in flight, or if the registration is disabled or deleted.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/deliveries/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver result callbacks since a given time
         * Requeues every failed result callback of the caller's project created at or after `since`, with the same bytes
         *     and the same `webhook-id`; the retry schedule starts over. With `status: delivered`, those that the receiver has
         *     acknowledged instead.
         */
        post: operations["redeliverFailedCallbacks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/signing-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the project's signing secret
         * The secret that signs the result callbacks of the caller's project.
         */
        get: operations["getSigningSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/signing-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the project's signing secret
         * Until the overlap ends, result callbacks carry both signatures, newest first. Rotating again during an overlap
         *     returns 409 `invalid_state` unless `force` is set.
         */
        post: operations["rotateSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
/** The webhooks of the contract, by event. */
export interface webhooks {
    data_updated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Data ingestion completed, or external data changed
         * Sent when an ingestion completes or external data changes.
         */
        post: operations["receiveDataUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    invoice_paid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice was paid
         * Sent when an invoice of the organization is paid.
         */
        post: operations["receiveInvoicePaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    invoice_payment_failed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The payment of an invoice failed
         * Sent when the payment of an invoice of the organization fails.
         */
        post: operations["receiveInvoicePaymentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    usage_threshold: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Usage reached a configured share of the monthly quota, or the whole quota
         * Sent once per registration and period when usage first reaches the registration's share of the quota, and once
         *     more when it reaches the full quota.
         */
        post: operations["receiveUsageThreshold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
/** The schemas, responses, parameters and headers of the contract. */
export interface components {
    schemas: {
        /** Response to a request with `webhookUrl`. */
        Acknowledgement: {
            /** Identifier of the generation. The callback carries the same one. */
            requestId: string;
            /**
             * Always `processing`.
             * @constant
             */
            status: "processing";
        };
        /** An API key of a project, without the key itself. */
        ApiKey: {
            /** When the key was created. */
            createdAt: components["schemas"]["Timestamp"];
            /** The `usr_…` or `key_…` that created the key, or `system`. */
            createdBy: string;
            /**
             * Format: date-time
             * When the key expires; `null` means never.
             */
            expiresAt: string | null;
            /** Prefix and last 4 characters of the key, to recognize it. */
            hint: string;
            /** Identifier of the key. */
            id: string;
            /** When a request last used the key; absent if none has. */
            lastUsedAt?: components["schemas"]["Timestamp"];
            /** Display name. */
            name: string;
            /** The organization (account) that the key belongs to. */
            organization: string;
            /** The project (tenant) that the key belongs to. */
            project: string;
            /** Identifier of the key that this one replaces. */
            regeneratedFrom?: string;
            /** When the key was revoked. */
            revokedAt?: components["schemas"]["Timestamp"];
            /**
             * `member` can generate content, read and cancel the project's generations, and read usage. `admin` can do
             *     everything.
             */
            role: components["schemas"]["Role"];
            /** Only `active` keys authenticate. */
            status: components["schemas"]["ApiKeyStatus"];
        };
        /** A page of API keys, newest first. */
        ApiKeyPage: {
            /** The items, newest first. */
            data: components["schemas"]["ApiKey"][];
            /** Cursor of the next page; `null` on the last page. */
            nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * Only `active` keys authenticate.
         * @enum {string}
         */
        ApiKeyStatus: "active" | "revoked" | "expired";
        /** A new API key. Only this response contains `key`. */
        ApiKeyWithSecret: components["schemas"]["ApiKey"] & {
            /** The key itself, to send in `X-API-Key`. Shown once. */
            key: string;
        };
        /** Problem details of a 400 response. */
        BadRequestProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @enum {string}
             */
            code: "invalid_json" | "invalid_request";
            /**
             * The HTTP status.
             * @constant
             */
            status: 400;
        };
        /**
         * Format: date-time
         * When the generation ended, the same on every attempt; `webhook-timestamp` is the time of the attempt. The
         *     service always sends it; receivers must work without it.
         * @example 2026-01-01T00:00:00.912Z
         */
        CallbackCompletedAt: string;
        /** A completed generation, with its result and usage. */
        CompletedGeneration: components["schemas"]["Generation"] & {
            /** The generated text, if `completed`. */
            result: string;
            /**
             * A `processing` generation becomes `completed`, `failed` or `canceled`. There are no other transitions.
             * @constant
             */
            status: "completed";
            /** Tokens used by a completed generation. */
            usage: components["schemas"]["TokenUsage"];
        };
        /** Problem details of a 409 response. */
        ConflictProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @enum {string}
             */
            code: "idempotency_in_progress" | "invalid_state";
            /**
             * The HTTP status.
             * @constant
             */
            status: 409;
        };
        /** The fields of a new API key. */
        CreateApiKeyRequest: {
            /**
             * Format: date-time
             * When the key expires; must be in the future. If `null` or omitted, it never expires.
             */
            expiresAt?: string | null;
            /** A display name, 1 to 100 characters. */
            name?: string;
            /**
             * `member` can generate content, read and cancel the project's generations, and read usage. `admin` can do
             *     everything.
             * @default member
             */
            role?: components["schemas"]["Role"];
        };
        /** The fields of a new registration. */
        CreateWebhookRequest: {
            /** A note, up to 500 characters. */
            description?: string;
            /** Type of a system event. */
            event: components["schemas"]["WebhookEvent"];
            /** The signing secret. If omitted, the service creates one. */
            secret?: components["schemas"]["SecretValue"];
            /** `usage_threshold` only: the share of the quota that triggers the event, above 0 and up to 1. Defaults to 0.9. */
            threshold?: number;
            /** A secret token chosen by the caller, sent verbatim as `X-Service-Token`. 16 to 256 visible ASCII characters. */
            token?: string;
            /**
             * Format: uri
             * Where events are posted. Must be HTTPS, without credentials, on a public address.
             */
            url: string;
        };
        /** Where a page starts. Opaque; pass it back unchanged. */
        Cursor: string;
        /** Body of a `data_updated` event. */
        DataUpdatedEvent: {
            /**
             * Type of the event.
             * @constant
             */
            event: "data_updated";
            /**
             * When the event happened, the same on every attempt. Use it to order events: `webhook-timestamp` is the time of
             *     the attempt. The service always sends it; receivers must work without it.
             */
            occurredAt?: components["schemas"]["OccurredAt"];
            /** Identifier of the organization. */
            organization: string;
            /**
             * What happened.
             * @enum {string}
             */
            reason: "ingestion_completed" | "external_change";
            /** Number of affected records. */
            records: number;
            /** Name of the data source. */
            source: string;
            /** When the data was updated. */
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** A message to one URL, with its delivery attempts. */
        Delivery: {
            /** The attempts so far, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** When the delivery was created. */
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Type of the event; `generation_completed` or `generation_failed` for a result callback.
             * @example usage_threshold
             * @example generation_completed
             */
            event: string;
            /** Identifier of the delivery. */
            id: string;
            /** The `webhook-id`, the same on every attempt. */
            messageId: string;
            /** When the next attempt is due; absent if there is none. */
            nextAttemptAt?: components["schemas"]["Timestamp"];
            /** Identifier of the generation, if this is a result callback. */
            requestId?: string;
            /**
             * `pending` until an attempt succeeds (`delivered`), the last retry fails (`failed`), or the registration is
             *     deleted or disabled (`canceled`).
             */
            status: components["schemas"]["DeliveryStatus"];
            /** Where the message is posted. */
            url: string;
            /** Identifier of the registration, if this delivers a system event. */
            webhookId?: string;
        };
        /** One attempt to post a delivery. */
        DeliveryAttempt: {
            /** When the attempt was made. */
            at: components["schemas"]["Timestamp"];
            /** How long the attempt took, in milliseconds. */
            durationMs: number;
            /**
             * Why the attempt failed: no complete response in time (`timeout`); nothing is listening at the address
             *     (`refused`); the connection was closed before the response was complete (`reset`); the TLS certificate is
             *     not trusted (`certificate`); the host name does not resolve (`dns`); deliveries must not be sent to the
             *     address (`refused_address`); the status of the response was not 2xx (`status`); anything else
             *     (`connection`).
             * @enum {string}
             */
            error?: "timeout" | "refused" | "reset" | "certificate" | "dns" | "refused_address" | "status" | "connection";
            /**
             * Headers of the response, with names in lower case, at most 2 KiB. Cookies and headers that concern only the
             *     connection are omitted.
             */
            headers?: {
                [key: string]: string;
            };
            /** Why the attempt failed, as a human-readable sentence. */
            reason?: string;
            /** The start of the response body, at most 1 KiB. */
            response?: string;
            /** The status of the response, if there was one. */
            status?: number;
        };
        /** A page of deliveries, newest first. */
        DeliveryPage: {
            /** The items, newest first. */
            data: components["schemas"]["Delivery"][];
            /** Cursor of the next page; `null` on the last page. */
            nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * `pending` until an attempt succeeds (`delivered`), the last retry fails (`failed`), or the registration is
         *     deleted or disabled (`canceled`).
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "failed" | "canceled";
        /** One error in a request. `pointer` locates it in the body; `parameter` names a query parameter. */
        FieldError: {
            /**
             * Stable error code, snake_case.
             * @example required
             * @example unknown_field
             * @example too_long
             */
            code: string;
            /** What is wrong, and what is allowed. */
            message: string;
            /** Name of the query parameter. */
            parameter?: string;
            /**
             * Format: json-pointer
             * JSON Pointer (RFC 6901) into the body.
             */
            pointer?: string;
        };
        /** Problem details of a 403 response. */
        ForbiddenProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @constant
             */
            code: "insufficient_permissions";
            /**
             * The HTTP status.
             * @constant
             */
            status: 403;
        };
        /**
         * Rotates even during an overlap. The oldest secret is dropped immediately.
         * @default false
         */
        ForceRotation: boolean;
        /** The parameters of a generation. */
        GenerateRequest: {
            /**
             * Upper limit of `usage.completionTokens`. A result cut off there is still `completed`.
             * @default 512
             */
            maxTokens?: number;
            /** Up to 16 key-value pairs chosen by the caller, all strings, echoed in the generation and its callback. */
            metadata?: components["schemas"]["Metadata"];
            /**
             * Name of the model.
             * @default content-1
             */
            model?: string;
            /** The text to generate from, 1 to 100 000 characters. */
            prompt: string;
            /** The same model, prompt and seed produce the same text. */
            seed?: number;
            /**
             * Requests server-sent events. Cannot be combined with `webhookUrl`.
             * @default false
             */
            stream?: boolean;
            /** Randomness of the result, 0 to 2. */
            temperature?: number;
            /**
             * Format: uri
             * Requests asynchronous processing; the result is posted to this URL. Must be HTTPS, without credentials, on a
             *     public address.
             */
            webhookUrl?: string;
        };
        /** A generation and its outcome. */
        Generation: {
            /** When the generation ended; absent while it is `processing`. */
            completedAt?: components["schemas"]["Timestamp"];
            /** When the generation was accepted. */
            createdAt: components["schemas"]["Timestamp"];
            /** Why a generation failed. */
            error?: components["schemas"]["GenerationError"];
            /** Up to 16 key-value pairs chosen by the caller, all strings, echoed in the generation and its callback. */
            metadata?: components["schemas"]["Metadata"];
            /** Name of the model. */
            model: string;
            /** Identifier of the generation. */
            requestId: string;
            /** The generated text, if `completed`. */
            result?: string;
            /** A `processing` generation becomes `completed`, `failed` or `canceled`. There are no other transitions. */
            status: components["schemas"]["GenerationStatus"];
            /** Tokens used by a completed generation. */
            usage?: components["schemas"]["TokenUsage"];
            /** The callback URL, for an asynchronous generation. */
            webhookUrl?: string;
        };
        /** Result callback of a completed generation. */
        GenerationCompletedCallback: {
            /**
             * When the generation ended, the same on every attempt; `webhook-timestamp` is the time of the attempt. The
             *     service always sends it; receivers must work without it.
             */
            completedAt?: components["schemas"]["CallbackCompletedAt"];
            /** Up to 16 key-value pairs chosen by the caller, all strings, echoed in the generation and its callback. */
            metadata?: components["schemas"]["Metadata"];
            /** Name of the model that produced the result. */
            model: string;
            /** The `requestId` of the acknowledgement. Usually present; receivers must work without it. */
            requestId?: string;
            /** The generated output. */
            result: string;
            /**
             * Receivers must work without it.
             * @constant
             */
            status?: "completed";
            /** Tokens used by the generation. */
            usage: {
                /** Tokens in the result. */
                completionTokens?: number;
                /** Tokens in the prompt. */
                promptTokens?: number;
                /** Tokens in the prompt and the result together. */
                totalTokens: number;
            };
        };
        /** Data of a `generation.delta` event. */
        GenerationDelta: {
            /** The next piece of the text. */
            delta: string;
            /** Identifier of the generation. */
            requestId: string;
        };
        /** Why a generation failed. */
        GenerationError: {
            /**
             * Stable code, snake_case.
             * @example generation_failed
             */
            code: string;
            /** What happened, in human-readable form. */
            message: string;
        };
        /** Result callback of a failed generation. */
        GenerationFailedCallback: {
            /**
             * When the generation ended, the same on every attempt; `webhook-timestamp` is the time of the attempt. The
             *     service always sends it; receivers must work without it.
             */
            completedAt?: components["schemas"]["CallbackCompletedAt"];
            /** Why a generation failed. */
            error: components["schemas"]["GenerationError"];
            /** Up to 16 key-value pairs chosen by the caller, all strings, echoed in the generation and its callback. */
            metadata?: components["schemas"]["Metadata"];
            /** Name of the model. */
            model?: string;
            /** The `requestId` of the acknowledgement. Usually present; receivers must work without it. */
            requestId?: string;
            /**
             * Receivers must work without it.
             * @constant
             */
            status?: "failed";
        };
        /** A page of generations, newest first. */
        GenerationPage: {
            /** The items, newest first. */
            data: components["schemas"]["Generation"][];
            /** Cursor of the next page; `null` on the last page. */
            nextCursor: components["schemas"]["NextCursor"];
        };
        /** The body posted to the caller's `webhookUrl`. */
        GenerationResultCallback: components["schemas"]["GenerationCompletedCallback"] | components["schemas"]["GenerationFailedCallback"];
        /** Data of a `generation.started` event, which names the generation. */
        GenerationStarted: {
            /** Identifier of the generation. */
            requestId: string;
        };
        /**
         * A `processing` generation becomes `completed`, `failed` or `canceled`. There are no other transitions.
         * @enum {string}
         */
        GenerationStatus: "processing" | "completed" | "failed" | "canceled";
        /**
         * Data of one server-sent event: `GenerationStarted` for `generation.started`, a `GenerationDelta` for `generation.delta`; the full `Generation` for
         *     `generation.completed`, `generation.failed` and `generation.canceled`.
         */
        GenerationStreamData: components["schemas"]["GenerationStarted"] | components["schemas"]["GenerationDelta"] | components["schemas"]["Generation"];
        /** Problem details of a 500 response. */
        InternalErrorProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @enum {string}
             */
            code: "internal_error" | "generation_failed";
            /** The generation that failed, for `generation_failed`. */
            generationId?: string;
            /**
             * The HTTP status.
             * @constant
             */
            status: 500;
        };
        /** An organization's invoice. Amounts are in minor units of the currency. */
        Invoice: {
            /** Amount due, in minor units. */
            amountDue: number;
            /** Amount paid, in minor units. */
            amountPaid: number;
            /**
             * ISO 4217 code, lower case.
             * @example usd
             */
            currency: string;
            /** Why the last payment failed. */
            failureReason?: string;
            /** Identifier of the invoice. */
            id: string;
            /** Human-readable invoice number. */
            number: string;
            /** End of the billed period. */
            periodEnd: components["schemas"]["Timestamp"];
            /** Start of the billed period. */
            periodStart: components["schemas"]["Timestamp"];
            /** State of an invoice. */
            status: components["schemas"]["InvoiceStatus"];
        };
        /** Body of an `invoice_paid` event. */
        InvoicePaidEvent: {
            /**
             * Type of the event.
             * @constant
             */
            event: "invoice_paid";
            /** An organization's invoice. Amounts are in minor units of the currency. */
            invoice: components["schemas"]["Invoice"];
            /**
             * When the event happened, the same on every attempt. Use it to order events: `webhook-timestamp` is the time of
             *     the attempt. The service always sends it; receivers must work without it.
             */
            occurredAt?: components["schemas"]["OccurredAt"];
            /** Identifier of the organization. */
            organization: string;
        };
        /** Body of an `invoice_payment_failed` event. */
        InvoicePaymentFailedEvent: {
            /**
             * Type of the event.
             * @constant
             */
            event: "invoice_payment_failed";
            /** An organization's invoice. Amounts are in minor units of the currency. */
            invoice: components["schemas"]["Invoice"];
            /**
             * When the event happened, the same on every attempt. Use it to order events: `webhook-timestamp` is the time of
             *     the attempt. The service always sends it; receivers must work without it.
             */
            occurredAt?: components["schemas"]["OccurredAt"];
            /** Identifier of the organization. */
            organization: string;
        };
        /**
         * State of an invoice.
         * @enum {string}
         */
        InvoiceStatus: "open" | "paid" | "payment_failed";
        /**
         * Up to 16 key-value pairs chosen by the caller, all strings, echoed in the generation and its callback.
         * @example {
         *       "article": "42"
         *     }
         */
        Metadata: {
            [key: string]: string;
        };
        /** Problem details of a 405 response. */
        MethodNotAllowedProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @constant
             */
            code: "method_not_allowed";
            /**
             * The HTTP status.
             * @constant
             */
            status: 405;
        };
        /** Cursor of the next page; `null` on the last page. */
        NextCursor: string | null;
        /** Problem details of a 404 response. */
        NotFoundProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @constant
             */
            code: "not_found";
            /**
             * The HTTP status.
             * @constant
             */
            status: 404;
        };
        /**
         * Format: date-time
         * When the event happened, the same on every attempt. Use it to order events: `webhook-timestamp` is the time of
         *     the attempt. The service always sends it; receivers must work without it.
         * @example 2026-01-01T00:00:00.000Z
         */
        OccurredAt: string;
        /**
         * How long deliveries carry both signatures, 0 to 604 800 seconds.
         * @default 86400
         */
        OverlapSeconds: number;
        /** Problem details of a 413 response. */
        PayloadTooLargeProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @constant
             */
            code: "payload_too_large";
            /**
             * The HTTP status.
             * @constant
             */
            status: 413;
        };
        /** Problem details (RFC 9457). */
        Problem: {
            /** Stable code, snake_case. */
            code: string;
            /** What is wrong with this request, and what to do. */
            detail: string;
            /** The `X-Request-Id` of this response. */
            requestId: string;
            /** The HTTP status. */
            status: number;
            /** A short summary, the same for every problem of this type. */
            title: string;
            /**
             * Format: uri-reference
             * Identifies the problem type.
             */
            type: string;
        };
        /** Problem details of a 429 response, when the monthly quota is used up. */
        QuotaExceededProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @constant
             */
            code: "quota_exceeded";
            /** When the quota resets. */
            resetsAt: components["schemas"]["Timestamp"];
            /**
             * The HTTP status.
             * @constant
             */
            status: 429;
        };
        /** Problem details of a 429 response, when the rate limit is exceeded. */
        RateLimitedProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @constant
             */
            code: "rate_limited";
            /**
             * The HTTP status.
             * @constant
             */
            status: 429;
        };
        /** Which deliveries to redeliver. */
        RedeliverFailedRequest: {
            /** Deliveries created at or after this time. */
            since: components["schemas"]["Timestamp"];
            /**
             * `failed`: no attempt has succeeded, and there are no more. `delivered`: the receiver acknowledged the
             *     delivery, for a receiver that has lost what it acknowledged.
             * @default failed
             * @enum {string}
             */
            status?: "failed" | "delivered";
        };
        /** How many deliveries were requeued. */
        RedeliverFailedResult: {
            /** Number of deliveries requeued. */
            count: number;
        };
        /** How long the old key stays valid. */
        RegenerateApiKeyRequest: {
            /**
             * How long the old key stays active, 0 to 604 800 seconds.
             * @default 0
             */
            gracePeriodSeconds?: number;
        };
        /**
         * `member` can generate content, read and cancel the project's generations, and read usage. `admin` can do
         *     everything.
         * @enum {string}
         */
        Role: "admin" | "member";
        /** The project's new signing secret. */
        RotatedSigningSecret: {
            /** When the secret was created. */
            createdAt: components["schemas"]["Timestamp"];
            /** Deliveries also carry a signature with the previous secret until this time. */
            previousExpiresAt: components["schemas"]["Timestamp"];
            /** A signing secret: `whsec_` followed by 24 to 64 bytes in standard base64. */
            secret: components["schemas"]["SecretValue"];
        };
        /** How long the previous secret of the project stays valid. */
        RotateSigningSecretRequest: {
            /** Rotates even during an overlap. The oldest secret is dropped immediately. */
            force?: components["schemas"]["ForceRotation"];
            /** How long deliveries carry both signatures, 0 to 604 800 seconds. */
            overlapSeconds?: components["schemas"]["OverlapSeconds"];
        };
        /** How long the previous secret of the registration stays valid. */
        RotateWebhookSecretRequest: {
            /** Rotates even during an overlap. The oldest secret is dropped immediately. */
            force?: components["schemas"]["ForceRotation"];
            /** How long deliveries carry both signatures, 0 to 604 800 seconds. */
            overlapSeconds?: components["schemas"]["OverlapSeconds"];
        };
        /** A signing secret: `whsec_` followed by 24 to 64 bytes in standard base64. */
        SecretValue: string;
        /** The project's signing secret, which signs result callbacks. */
        SigningSecret: {
            /** When the secret was created. */
            createdAt: components["schemas"]["Timestamp"];
            /** A signing secret: `whsec_` followed by 24 to 64 bytes in standard base64. */
            secret: components["schemas"]["SecretValue"];
        };
        /**
         * Format: date-time
         * A time in RFC 3339 format, UTC, with milliseconds.
         * @example 2026-01-01T00:00:00.000Z
         */
        Timestamp: string;
        /** Tokens used by a completed generation. */
        TokenUsage: {
            /** Tokens in the result. */
            completionTokens: number;
            /** Tokens in the prompt. */
            promptTokens: number;
            /** Tokens in the prompt and the result together. */
            totalTokens: number;
        };
        /** Problem details of a 429 response. */
        TooManyRequestsProblem: components["schemas"]["RateLimitedProblem"] | components["schemas"]["QuotaExceededProblem"];
        /** Problem details of a 401 response. */
        UnauthorizedProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @enum {string}
             */
            code: "missing_credentials" | "invalid_api_key" | "revoked_api_key" | "expired_api_key" | "invalid_token" | "expired_token" | "multiple_credentials";
            /**
             * The HTTP status.
             * @constant
             */
            status: 401;
        };
        /** Problem details of a 503 response. */
        UnavailableProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @constant
             */
            code: "unavailable";
            /**
             * The HTTP status.
             * @constant
             */
            status: 503;
        };
        /** Problem details of a 422 response. */
        UnprocessableProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @enum {string}
             */
            code: "validation_failed" | "model_not_found" | "idempotency_key_reused";
            /** Every error found in the request; empty for `idempotency_key_reused`. */
            errors: components["schemas"]["FieldError"][];
            /**
             * The HTTP status.
             * @constant
             */
            status: 422;
        };
        /** Problem details of a 415 response. */
        UnsupportedMediaTypeProblem: components["schemas"]["Problem"] & {
            /**
             * Stable code, snake_case.
             * @constant
             */
            code: "unsupported_media_type";
            /**
             * The HTTP status.
             * @constant
             */
            status: 415;
        };
        /** The fields of a registration to change. */
        UpdateWebhookRequest: {
            /** A note, up to 500 characters. */
            description?: string;
            /** Nothing is delivered to a `disabled` registration. */
            status?: components["schemas"]["WebhookStatus"];
            /** `usage_threshold` only: the share of the quota that triggers the event. */
            threshold?: number;
            /** A new secret token. */
            token?: string;
            /**
             * Format: uri
             * The new URL, also used for pending deliveries.
             */
            url?: string;
        };
        /** An organization's usage in the current period, in tokens. */
        Usage: {
            /** Identifier of the organization. */
            organization: string;
            /** End of the period. Usage then starts from 0. */
            periodEnd: components["schemas"]["Timestamp"];
            /** Start of the period. */
            periodStart: components["schemas"]["Timestamp"];
            /** The monthly quota, in tokens. */
            quota: number;
            /** Tokens left, never below 0. */
            remaining: number;
            /** Generations completed in the period. */
            requests: number;
            /** Tokens used. */
            used: number;
        };
        /** Body of a `usage_threshold` event. */
        UsageThresholdEvent: {
            /**
             * Type of the event.
             * @constant
             */
            event: "usage_threshold";
            /**
             * When the event happened, the same on every attempt. Use it to order events: `webhook-timestamp` is the time of
             *     the attempt. The service always sends it; receivers must work without it.
             */
            occurredAt?: components["schemas"]["OccurredAt"];
            /** Identifier of the organization. */
            organization: string;
            /** End of the period. */
            periodEnd?: components["schemas"]["Timestamp"];
            /** Start of the period. */
            periodStart?: components["schemas"]["Timestamp"];
            /** The monthly quota, in tokens. */
            quota?: number;
            /** The threshold that was reached, in tokens. */
            threshold: number;
            /** Tokens used so far. */
            usage: number;
        };
        /** A registration for one system event. */
        Webhook: {
            /** When the registration was created. */
            createdAt: components["schemas"]["Timestamp"];
            /** A note. */
            description?: string;
            /**
             * Why the registration is disabled: `gone` (the endpoint returned 410), `failing` (every delivery failed for 5 days) or `requested`.
             * @example gone
             * @example failing
             * @example requested
             */
            disabledReason?: string;
            /** Type of a system event. */
            event: components["schemas"]["WebhookEvent"];
            /** Since when deliveries have failed; absent while they succeed. */
            failingSince?: components["schemas"]["Timestamp"];
            /** Whether deliveries carry `X-Service-Token`. */
            hasToken: boolean;
            /** Identifier of the registration. */
            id: string;
            /** Nothing is delivered to a `disabled` registration. */
            status: components["schemas"]["WebhookStatus"];
            /** `usage_threshold` only: the share of the quota, above 0 and up to 1. */
            threshold?: number;
            /** When the registration was last changed. */
            updatedAt: components["schemas"]["Timestamp"];
            /** Where events are posted. */
            url: string;
        };
        /**
         * Type of a system event.
         * @enum {string}
         */
        WebhookEvent: "usage_threshold" | "invoice_paid" | "invoice_payment_failed" | "data_updated";
        /** A page of registrations, newest first. */
        WebhookPage: {
            /** The items, newest first. */
            data: components["schemas"]["Webhook"][];
            /** Cursor of the next page; `null` on the last page. */
            nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * Nothing is delivered to a `disabled` registration.
         * @enum {string}
         */
        WebhookStatus: "enabled" | "disabled";
        /** A registration with its signing secret, which is never returned again. */
        WebhookWithSecret: components["schemas"]["Webhook"] & {
            /** A signing secret: `whsec_` followed by 24 to 64 bytes in standard base64. */
            secret: components["schemas"]["SecretValue"];
        };
    };
    responses: {
        /** The request cannot be parsed. */
        BadRequest: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BadRequestProblem"];
            };
        };
        /** Handled now or earlier. Any 2xx response within 15 s counts as success; anything else is retried. */
        CallbackAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** The endpoint is gone. The registration is disabled immediately; a result callback is not retried. */
        CallbackGone: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** Retry later, and not before `Retry-After` if it is given. */
        CallbackLater: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** The record's state does not allow the operation, or a request with the same idempotency key is still running. */
        Conflict: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConflictProblem"];
            };
        };
        /** The role of the credentials does not permit the operation. */
        Forbidden: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenProblem"];
            };
        };
        /** The service failed, or the model failed during a synchronous generation. */
        InternalError: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalErrorProblem"];
            };
        };
        /** The record does not exist in the caller's project. */
        NotFound: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
        /** The body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        /**
         * Too many requests (`rate_limited`: wait for `Retry-After`), or the monthly quota is used up (`quota_exceeded`:
         *     retrying before `resetsAt` does not help).
         */
        TooManyRequests: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TooManyRequestsProblem"];
            };
        };
        /** The credentials are missing or invalid. The gateway checks this before anything else. */
        Unauthorized: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthorizedProblem"];
            };
        };
        /** The service is temporarily unavailable. */
        Unavailable: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnavailableProblem"];
            };
        };
        /** The request can be parsed but is not valid. */
        Unprocessable: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnprocessableProblem"];
            };
        };
        /** The body is not declared as `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
    };
    parameters: {
        /**
         * Identifier of the API key (never the key itself).
         * @example key_01kdvsz0g0b2h8x1d6v0r9e4ta
         */
        ApiKeyId: string;
        /**
         * Identifier of the delivery.
         * @example dlv_01kdvsz0g0t4j6r8p1z3x5v7hc
         */
        DeliveryId: string;
        /**
         * Identifier of the generation.
         * @example gen_01kdvsz0g0q7gd8tkm0qz3pj5a
         */
        GenerationId: string;
        /**
         * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
         *     24 hours per project, operation and path parameters.
         * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
         */
        IdempotencyKey: string;
        /**
         * With server-sent events, the `id:` of the last event that was received.
         * @example 3
         */
        LastEventId: string;
        /** Items per page, 1 to 100. */
        Limit: number;
        /**
         * A space-separated list of `v1,<base64>`, one entry per active secret, newest first. Each entry is the
         *     HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the bytes encoded after `whsec_`.
         * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
         */
        ServiceSignature: string;
        /** The registration's `token`, verbatim, if it has one. */
        ServiceToken: string;
        /**
         * Only items created at or after this time, in RFC 3339 format. Use it to find what a receiver missed.
         * @example 2026-01-01T00:00:00.000Z
         */
        Since: string;
        /**
         * Identifier of the message, the same on every attempt. Use it as the idempotency key in the receiver.
         * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
         */
        WebhookId: string;
        /**
         * Identifier of the registration.
         * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
         */
        WebhookRegistrationId: string;
        /**
         * The same value as `X-Service-Signature`, for Standard Webhooks libraries.
         * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
         */
        WebhookSignature: string;
        /**
         * Time of this attempt, in Unix seconds.
         * @example 1767225600
         */
        WebhookTimestamp: string;
    };
    requestBodies: never;
    headers: {
        /**
         * Version of the API that sent the response.
         * @example 2
         */
        "API-Version": "2";
        /**
         * `true` if this is the stored response to an earlier request with the same idempotency key.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * What remains of the caller's rate limit, if one applies (draft-ietf-httpapi-ratelimit-headers).
         * @example "default";r=41;t=12
         */
        RateLimit: string;
        /**
         * The caller's rate limit, if one applies (draft-ietf-httpapi-ratelimit-headers).
         * @example "default";q=60;w=60
         */
        "RateLimit-Policy": string;
        /**
         * Whole seconds to wait before retrying, at least 1. Present if waiting helps.
         * @example 1
         */
        "Retry-After": string;
        /**
         * The RFC 9110 challenges, with `error="invalid_token"` if the token is invalid.
         * @example ApiKey realm="contentgen", Bearer realm="contentgen"
         */
        "WWW-Authenticate": string;
        /**
         * Identifier of this request. If the caller sends one that matches `[A-Za-z0-9._-]{1,128}`, it is echoed.
         * @example req_01kdvsz0g0m3k5h7j9n1b2d4se
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
/** The operations of the contract, by id. */
export interface operations {
    createApiKeyAlias: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** The new key, shown once. */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGenerations: {
        parameters: {
            query?: {
                /**
                 * The `nextCursor` of the previous page.
                 * @example a6311521gen_01kdvsz0g0q7gd8tkm0qz3pj5b
                 */
                cursor?: components["schemas"]["Cursor"];
                /** Items per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
                /**
                 * Only items created at or after this time, in RFC 3339 format. Use it to find what a receiver missed.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * Only generations in this state.
                 * @example completed
                 */
                status?: components["schemas"]["GenerationStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of generations. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    generateContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateRequest"];
            };
        };
        responses: {
            /** The completed generation, or the stream of its events. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedGeneration"];
                    "text/event-stream": string;
                };
            };
            /** Accepted for asynchronous processing; the result is posted to `webhookUrl`. */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Acknowledgement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGeneration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * With server-sent events, the `id:` of the last event that was received.
                 * @example 3
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                /**
                 * Identifier of the generation.
                 * @example gen_01kdvsz0g0q7gd8tkm0qz3pj5a
                 */
                requestId: components["parameters"]["GenerationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The generation in its current state. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                    "text/event-stream": string;
                };
            };
            /** The stream has ended; `Last-Event-ID` names its end event. */
            204: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelGeneration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * Identifier of the generation.
                 * @example gen_01kdvsz0g0q7gd8tkm0qz3pj5b
                 */
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The canceled generation. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /**
                 * The `nextCursor` of the previous page.
                 * @example d561c05ekey_01kdvsz0g0b2h8x1d6v0r9e4tb
                 */
                cursor?: components["schemas"]["Cursor"];
                /** Items per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of API keys. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** The new key, shown once. */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * Identifier of the API key (never the key itself).
                 * @example key_01kdvsz0g0b2h8x1d6v0r9e4ta
                 */
                id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The API key. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    regenerateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * Identifier of the API key (never the key itself).
                 * @example key_01kdvsz0g0b2h8x1d6v0r9e4tb
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RegenerateApiKeyRequest"];
            };
        };
        responses: {
            /** The new key, shown once. */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * Identifier of the API key (never the key itself).
                 * @example key_01kdvsz0g0b2h8x1d6v0r9e4ta
                 */
                id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The revoked key. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Usage and quota. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * The `nextCursor` of the previous page.
                 * @example 21be74c2wh_01kdvsz0g0n5s7c3m2k8y4w6fc
                 */
                cursor?: components["schemas"]["Cursor"];
                /** Items per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of registrations. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** The registration with its secret. */
            201: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The registration. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fc
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Deleted. */
            204: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** The updated registration. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * The `nextCursor` of the previous page.
                 * @example 71fef390dlv_01kdvsz0g0t4j6r8p1z3x5v7hd
                 */
                cursor?: components["schemas"]["Cursor"];
                /** Items per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
                /**
                 * Only items created at or after this time, in RFC 3339 format. Use it to find what a receiver missed.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * Only deliveries in this state.
                 * @example delivered
                 */
                status?: components["schemas"]["DeliveryStatus"];
            };
            header?: never;
            path: {
                /**
                 * Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of deliveries. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverFailed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeliverFailedRequest"];
            };
        };
        responses: {
            /** How many deliveries were requeued. */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliverFailedResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** The registration with its new secret. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The queued delivery. */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCallbackDeliveries: {
        parameters: {
            query?: {
                /**
                 * The `nextCursor` of the previous page.
                 * @example e21282e3dlv_01kdvsz0g0t4j6r8p1z3x5v7he
                 */
                cursor?: components["schemas"]["Cursor"];
                /** Items per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
                /**
                 * Only the callback deliveries of this generation.
                 * @example gen_01kdvsz0g0q7gd8tkm0qz3pj5a
                 */
                requestId?: string;
                /**
                 * Only items created at or after this time, in RFC 3339 format. Use it to find what a receiver missed.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                since?: components["parameters"]["Since"];
                /**
                 * Only deliveries in this state.
                 * @example delivered
                 */
                status?: components["schemas"]["DeliveryStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of deliveries. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * Identifier of the delivery.
                 * @example dlv_01kdvsz0g0t4j6r8p1z3x5v7hc
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The requeued delivery. */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverFailedCallbacks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeliverFailedRequest"];
            };
        };
        responses: {
            /** How many deliveries were requeued. */
            202: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliverFailedResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSigningSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The current secret. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecret"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * Identifies the logical call, so that it can safely be retried. 1 to 255 visible ASCII characters, kept for
                 *     24 hours per project, operation and path parameters.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateSigningSecretRequest"];
            };
        };
        responses: {
            /** The new secret. */
            200: {
                headers: {
                    "API-Version": components["headers"]["API-Version"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSigningSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    receiveDataUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Identifier of the message, the same on every attempt. Use it as the idempotency key in the receiver.
                 * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * The same value as `X-Service-Signature`, for Standard Webhooks libraries.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * Time of this attempt, in Unix seconds.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * A space-separated list of `v1,<base64>`, one entry per active secret, newest first. Each entry is the
                 *     HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the bytes encoded after `whsec_`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** The registration's `token`, verbatim, if it has one. */
                "X-Service-Token"?: components["parameters"]["ServiceToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DataUpdatedEvent"];
            };
        };
        responses: {
            200: components["responses"]["CallbackAccepted"];
            410: components["responses"]["CallbackGone"];
            429: components["responses"]["CallbackLater"];
            503: components["responses"]["CallbackLater"];
        };
    };
    receiveInvoicePaid: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Identifier of the message, the same on every attempt. Use it as the idempotency key in the receiver.
                 * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * The same value as `X-Service-Signature`, for Standard Webhooks libraries.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * Time of this attempt, in Unix seconds.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * A space-separated list of `v1,<base64>`, one entry per active secret, newest first. Each entry is the
                 *     HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the bytes encoded after `whsec_`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** The registration's `token`, verbatim, if it has one. */
                "X-Service-Token"?: components["parameters"]["ServiceToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoicePaidEvent"];
            };
        };
        responses: {
            200: components["responses"]["CallbackAccepted"];
            410: components["responses"]["CallbackGone"];
            429: components["responses"]["CallbackLater"];
            503: components["responses"]["CallbackLater"];
        };
    };
    receiveInvoicePaymentFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Identifier of the message, the same on every attempt. Use it as the idempotency key in the receiver.
                 * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * The same value as `X-Service-Signature`, for Standard Webhooks libraries.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * Time of this attempt, in Unix seconds.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * A space-separated list of `v1,<base64>`, one entry per active secret, newest first. Each entry is the
                 *     HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the bytes encoded after `whsec_`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** The registration's `token`, verbatim, if it has one. */
                "X-Service-Token"?: components["parameters"]["ServiceToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoicePaymentFailedEvent"];
            };
        };
        responses: {
            200: components["responses"]["CallbackAccepted"];
            410: components["responses"]["CallbackGone"];
            429: components["responses"]["CallbackLater"];
            503: components["responses"]["CallbackLater"];
        };
    };
    receiveUsageThreshold: {
        parameters: {
            query?: never;
            header: {
                /**
                 * Identifier of the message, the same on every attempt. Use it as the idempotency key in the receiver.
                 * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * The same value as `X-Service-Signature`, for Standard Webhooks libraries.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * Time of this attempt, in Unix seconds.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * A space-separated list of `v1,<base64>`, one entry per active secret, newest first. Each entry is the
                 *     HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the bytes encoded after `whsec_`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** The registration's `token`, verbatim, if it has one. */
                "X-Service-Token"?: components["parameters"]["ServiceToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsageThresholdEvent"];
            };
        };
        responses: {
            200: components["responses"]["CallbackAccepted"];
            410: components["responses"]["CallbackGone"];
            429: components["responses"]["CallbackLater"];
            503: components["responses"]["CallbackLater"];
        };
    };
}
