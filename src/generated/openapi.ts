// Generated from openapi.yaml by `npm run generate`. Do not edit.
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
         * @description The same operation as `createApiKey` on the alternative path that the service also names.
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
         * @description The generations of the caller's project, newest first.
         */
        get: operations["listGenerations"];
        put?: never;
        /**
         * Generate content from a prompt
         * @description Without `webhookUrl` the answer is the completed generation (200). With `webhookUrl` the service acknowledges
         *     at once (202), processes in the background and posts the result to that URL. With `stream: true` the answer is
         *     a stream of server-sent events: `generation.delta` events, then exactly one of `generation.completed`,
         *     `generation.failed` and `generation.canceled` with the whole generation; `: ping` comments fill 10 s of
         *     silence, and closing the stream cancels the generation. `stream` and `webhookUrl` exclude one another (422).
         *
         *     A generation that starts at or above the monthly quota is refused with 429 `quota_exceeded`. If the model fails
         *     a synchronous generation, the answer is 500 `generation_failed` and the record is kept as `failed`.
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
         * @description Polls a generation, for instance when its callback was lost.
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
         * @description Only a generation that is `processing` can be canceled, else 409 `invalid_state`. No callback is posted.
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
         * @description The API keys of the caller's project, newest first, without the keys themselves.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The answer contains the new key. It is shown once and cannot be retrieved again: the service stores only its
         *     hash. Keys do not expire unless `expiresAt` is given.
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
         * @description One API key of the caller's project, without the key itself.
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
         * @description Makes a new key with the old one's name, role and `expiresAt`. Without a grace period the old key is revoked at
         *     once; with one it stays active until the earlier of its own expiry and the end of the grace period. A revoked
         *     or expired key cannot be regenerated (409 `invalid_state`). A key may regenerate itself.
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
         * @description Takes effect at once and is idempotent. A key may revoke itself.
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
         * @description Tokens used by the caller's organization in the current calendar month (UTC), against its quota.
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
         * @description The registrations of the caller's project, newest first, without their secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook
         * @description The service posts each occurrence of `event` to `url`. The answer contains the signing secret, which no later
         *     answer repeats.
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
         * @description One registration of the caller's project, without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Ends the registration and cancels its pending deliveries.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Changes what is given and leaves the rest. `event` never changes. Disabling cancels pending deliveries, and
         *     events meanwhile make none; enabling clears `disabledReason` and `failingSince`.
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
         * @description The deliveries of one registration with their attempts, newest first.
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
         * Redeliver all that failed since a time
         * @description Queues anew every failed delivery of the registration made at or after `since`: the same bytes under the same
         *     `webhook-id`, the schedule from its start. A disabled registration is 409 `invalid_state`.
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
         * @description Deliveries carry both signatures, the newest first, until the overlap ends. A second rotation inside an overlap
         *     is 409 `invalid_state` unless `force` is set.
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
         * @description Sends a sample of the registration's event to its URL. A disabled registration is 409 `invalid_state`.
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
         * List deliveries of result callbacks
         * @description The deliveries of result callbacks of the caller's project, newest first.
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
         * @description Sends the same bytes under the same `webhook-id`, on the schedule from its start. While the delivery is
         *     `pending`, or its registration is disabled or deleted: 409 `invalid_state`.
         */
        post: operations["redeliver"];
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
         * @description The secret that signs result callbacks of the caller's project.
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
         * @description Result callbacks carry both signatures, the newest first, until the overlap ends. A second rotation inside an
         *     overlap is 409 `invalid_state` unless `force` is set.
         */
        post: operations["rotateSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
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
         * @description Emitted when an ingestion completes or external data has changed.
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
         * @description Emitted when an invoice of the organization is paid.
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
         * @description Emitted when a payment of an invoice of the organization fails.
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
         * The monthly quota reached a configured share, or is exceeded
         * @description Once per registration and period when usage first reaches the registration's share of the quota, and once more
         *     when it reaches the quota itself.
         */
        post: operations["receiveUsageThreshold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Answer to a request that carries `webhookUrl`. */
        Acknowledgement: {
            /** @description Identifier of the generation; correlates the later callback. */
            requestId: string;
            /**
             * @description Always `processing`.
             * @constant
             */
            status: "processing";
        };
        /** @description An API key of a project, without the key itself. */
        ApiKey: {
            createdAt: components["schemas"]["Timestamp"];
            /** @description The `usr_…` or `key_…` that made it, or `system`. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it stops working; `null` means never.
             */
            expiresAt: string | null;
            /** @description Prefix and last 4 characters of the key, to recognise it by. */
            hint: string;
            /** @description Identifier of the key. */
            id: string;
            lastUsedAt?: components["schemas"]["Timestamp"];
            /** @description Name for people. */
            name: string;
            /** @description The organization (account) it belongs to. */
            organization: string;
            /** @description The project (tenant) it belongs to. */
            project: string;
            /** @description The key that this one replaced. */
            regeneratedFrom?: string;
            revokedAt?: components["schemas"]["Timestamp"];
            role: components["schemas"]["Role"];
            status: components["schemas"]["ApiKeyStatus"];
        };
        /** @description A page of API keys, newest first. */
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description Only an `active` key authenticates.
         * @enum {string}
         */
        ApiKeyStatus: "active" | "revoked" | "expired";
        /** @description A new API key. `key` is shown in this answer only. */
        ApiKeyWithSecret: components["schemas"]["ApiKey"] & {
            /** @description The key itself, for the header `X-API-Key`. Shown once. */
            key: string;
        };
        /** @description Problem of a 400 answer. */
        BadRequestProblem: components["schemas"]["Problem"] & {
            /** @enum {string} */
            code: "invalid_json" | "invalid_request";
            /** @constant */
            status: 400;
        };
        /** @description A generation that completed, with its result and usage. */
        CompletedGeneration: components["schemas"]["Generation"] & {
            result: string;
            /** @constant */
            status: "completed";
            usage: components["schemas"]["TokenUsage"];
        };
        /** @description Problem of a 409 answer. */
        ConflictProblem: components["schemas"]["Problem"] & {
            /** @enum {string} */
            code: "idempotency_in_progress" | "invalid_state";
            /** @constant */
            status: 409;
        };
        CreateApiKeyRequest: {
            /**
             * Format: date-time
             * @description When the key stops working; in the future. `null` or absent means never.
             */
            expiresAt?: string | null;
            /** @description A name for people, 1 to 100 characters. */
            name?: string;
            /** @default member */
            role?: components["schemas"]["Role"];
        };
        CreateWebhookRequest: {
            /** @description A note for people, up to 500 characters. */
            description?: string;
            event: components["schemas"]["WebhookEvent"];
            /** @description The signing secret; made by the service when absent. */
            secret?: components["schemas"]["SecretValue"];
            /** @description `usage_threshold` only: the share of the quota that triggers the event, above 0 up to 1 (0.9 when absent). */
            threshold?: number;
            /** @description A secret token of the caller's, sent verbatim as `X-Service-Token`. 16 to 256 visible ASCII characters. */
            token?: string;
            /**
             * Format: uri
             * @description Where to post. HTTPS, without credentials, to a public address.
             */
            url: string;
        };
        /** @description Body of a `data_updated` event. */
        DataUpdatedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            event: "data_updated";
            /** @description Identifier of the organization. */
            organization: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            reason: "ingestion_completed" | "external_change";
            /** @description How many records are concerned. */
            records: number;
            /** @description Name of the data source. */
            source: string;
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description A message on its way to one URL, with its attempts. */
        Delivery: {
            attempts: components["schemas"]["DeliveryAttempt"][];
            createdAt: components["schemas"]["Timestamp"];
            /**
             * @description Type of the event; `generation_completed` or `generation_failed` for a result callback.
             * @example usage_threshold
             * @example generation_completed
             */
            event: string;
            /** @description Identifier of the delivery. */
            id: string;
            /** @description The `webhook-id` of every attempt. */
            messageId: string;
            nextAttemptAt?: components["schemas"]["Timestamp"];
            /** @description The generation, for a result callback. */
            requestId?: string;
            status: components["schemas"]["DeliveryStatus"];
            /** @description Where it goes. */
            url: string;
            /** @description The registration, for an event. */
            webhookId?: string;
        };
        /** @description One try to post a delivery. */
        DeliveryAttempt: {
            at: components["schemas"]["Timestamp"];
            /** @description How long it took, ms. */
            durationMs: number;
            /**
             * @description Why it failed.
             * @enum {string}
             */
            error?: "timeout" | "connection" | "dns" | "refused_address" | "status";
            /** @description The beginning of the answer, at most 1 KiB. */
            response?: string;
            /** @description The status of the answer, if one came. */
            status?: number;
        };
        /** @description A page of deliveries, newest first. */
        DeliveryPage: {
            data: components["schemas"]["Delivery"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description `pending` until an attempt succeeds (`delivered`), the schedule ends (`failed`), or the registration is
         *     deleted or disabled (`canceled`).
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "failed" | "canceled";
        /** @description One fault of a request; `pointer` names a place in the body, `parameter` a query parameter. */
        FieldError: {
            /**
             * @description Stable code of the fault, snake_case.
             * @example required
             * @example unknown_field
             * @example too_long
             */
            code: string;
            /** @description What is wrong and what is allowed. */
            message: string;
            /** @description Name of the query parameter. */
            parameter?: string;
            /**
             * Format: json-pointer
             * @description JSON Pointer (RFC 6901) into the body.
             */
            pointer?: string;
        };
        /** @description Problem of a 403 answer. */
        ForbiddenProblem: components["schemas"]["Problem"] & {
            /** @constant */
            code: "insufficient_permissions";
            /** @constant */
            status: 403;
        };
        /**
         * @description Rotates inside an overlap; the oldest secret is dropped at once.
         * @default false
         */
        ForceRotation: boolean;
        GenerateRequest: {
            /**
             * @description Upper bound of `usage.completionTokens`; a result cut there is still `completed`.
             * @default 512
             */
            maxTokens?: number;
            metadata?: components["schemas"]["Metadata"];
            /**
             * @description Name of the model.
             * @default content-1
             */
            model?: string;
            /** @description The text to generate from, 1 to 100 000 characters. */
            prompt: string;
            /** @description The same model, prompt and seed give the same text. */
            seed?: number;
            /**
             * @description Asks for server-sent events. Excludes `webhookUrl`.
             * @default false
             */
            stream?: boolean;
            /** @description Randomness of the result, 0 to 2. */
            temperature?: number;
            /**
             * Format: uri
             * @description Asks for asynchronous processing; the result is posted here. HTTPS, without credentials, to a public
             *     address.
             */
            webhookUrl?: string;
        };
        /** @description A generation and its outcome. */
        Generation: {
            completedAt?: components["schemas"]["Timestamp"];
            createdAt: components["schemas"]["Timestamp"];
            error?: components["schemas"]["GenerationError"];
            metadata?: components["schemas"]["Metadata"];
            /** @description Name of the model. */
            model: string;
            /** @description Identifier of the generation. */
            requestId: string;
            /** @description The generated text, when `completed`. */
            result?: string;
            status: components["schemas"]["GenerationStatus"];
            usage?: components["schemas"]["TokenUsage"];
            /** @description The callback URL, for an asynchronous generation. */
            webhookUrl?: string;
        };
        /** @description Result callback of a completed generation. */
        GenerationCompletedCallback: {
            metadata?: components["schemas"]["Metadata"];
            /** @description Name of the model that produced the result. */
            model: string;
            /** @description Correlates with the acknowledgement. Usually present; a receiver copes without it. */
            requestId?: string;
            /** @description The generated output. */
            result: string;
            /**
             * @description A receiver copes without it.
             * @constant
             */
            status?: "completed";
            /** @description What the generation used. */
            usage: {
                /** @description Tokens of the result. */
                completionTokens?: number;
                /** @description Tokens of the prompt. */
                promptTokens?: number;
                /** @description Tokens of prompt and completion together. */
                totalTokens: number;
            };
        };
        /** @description Data of a `generation.delta` event. */
        GenerationDelta: {
            /** @description The next piece of the text. */
            delta: string;
            /** @description Identifier of the generation. */
            requestId: string;
        };
        /** @description Why a generation failed. */
        GenerationError: {
            /**
             * @description Stable code, snake_case.
             * @example generation_failed
             */
            code: string;
            /** @description What happened, for people. */
            message: string;
        };
        /** @description Result callback of a failed generation. */
        GenerationFailedCallback: {
            error: components["schemas"]["GenerationError"];
            metadata?: components["schemas"]["Metadata"];
            /** @description Name of the model. */
            model?: string;
            /** @description Correlates with the acknowledgement. Usually present; a receiver copes without it. */
            requestId?: string;
            /**
             * @description A receiver copes without it.
             * @constant
             */
            status?: "failed";
        };
        /** @description A page of generations, newest first. */
        GenerationPage: {
            data: components["schemas"]["Generation"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        /** @description Body posted to the caller's `webhookUrl`. */
        GenerationResultCallback: components["schemas"]["GenerationCompletedCallback"] | components["schemas"]["GenerationFailedCallback"];
        /**
         * @description `processing` becomes `completed`, `failed` or `canceled`; no other transition exists.
         * @enum {string}
         */
        GenerationStatus: "processing" | "completed" | "failed" | "canceled";
        /**
         * @description Data of one server-sent event: a `GenerationDelta` under `generation.delta`, the whole `Generation` under
         *     `generation.completed`, `generation.failed` and `generation.canceled`.
         */
        GenerationStreamData: components["schemas"]["GenerationDelta"] | components["schemas"]["Generation"];
        /** @description Problem of a 500 answer. */
        InternalErrorProblem: components["schemas"]["Problem"] & {
            /** @enum {string} */
            code: "internal_error" | "generation_failed";
            /** @description The generation that failed, for `generation_failed`. */
            generationId?: string;
            /** @constant */
            status: 500;
        };
        /** @description An invoice of an organization. Amounts are in minor units of the currency. */
        Invoice: {
            /** @description Amount due, in minor units. */
            amountDue: number;
            /** @description Amount paid, in minor units. */
            amountPaid: number;
            /**
             * @description ISO 4217 code, lower case.
             * @example usd
             */
            currency: string;
            /** @description Why the last payment failed. */
            failureReason?: string;
            /** @description Identifier of the invoice. */
            id: string;
            /** @description Number of the invoice for people. */
            number: string;
            periodEnd: components["schemas"]["Timestamp"];
            periodStart: components["schemas"]["Timestamp"];
            status: components["schemas"]["InvoiceStatus"];
        };
        /** @description Body of an `invoice_paid` event. */
        InvoicePaidEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            event: "invoice_paid";
            invoice: components["schemas"]["Invoice"];
            /** @description Identifier of the organization. */
            organization: string;
        };
        /** @description Body of an `invoice_payment_failed` event. */
        InvoicePaymentFailedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            event: "invoice_payment_failed";
            invoice: components["schemas"]["Invoice"];
            /** @description Identifier of the organization. */
            organization: string;
        };
        /**
         * @description State of an invoice.
         * @enum {string}
         */
        InvoiceStatus: "open" | "paid" | "payment_failed";
        /**
         * @description Up to 16 string pairs of the caller's own, echoed in the generation and its callback.
         * @example {
         *       "article": "42"
         *     }
         */
        Metadata: {
            [key: string]: string;
        };
        /** @description Problem of a 405 answer. */
        MethodNotAllowedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            code: "method_not_allowed";
            /** @constant */
            status: 405;
        };
        /** @description Where the next page begins; `null` on the last page. */
        NextCursor: string | null;
        /** @description Problem of a 404 answer. */
        NotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            code: "not_found";
            /** @constant */
            status: 404;
        };
        /**
         * @description How long deliveries carry both signatures, 0 to 604 800 s.
         * @default 86400
         */
        OverlapSeconds: number;
        /** @description Problem of a 413 answer. */
        PayloadTooLargeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            code: "payload_too_large";
            /** @constant */
            status: 413;
        };
        /** @description Problem details (RFC 9457). */
        Problem: {
            /** @description Stable code, snake_case. */
            code: string;
            /** @description What is wrong with this request and what to do. */
            detail: string;
            /** @description The `X-Request-Id` of this answer. */
            requestId: string;
            /** @description The HTTP status. */
            status: number;
            /** @description Short and the same for every problem of the kind. */
            title: string;
            /**
             * Format: uri-reference
             * @description Identifies the kind of problem.
             */
            type: string;
        };
        /** @description Problem of a 429 answer about quota exceeded. */
        QuotaExceededProblem: components["schemas"]["Problem"] & {
            /** @constant */
            code: "quota_exceeded";
            resetsAt: components["schemas"]["Timestamp"];
            /** @constant */
            status: 429;
        };
        /** @description Problem of a 429 answer about rate limited. */
        RateLimitedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            code: "rate_limited";
            /** @constant */
            status: 429;
        };
        RedeliverFailedRequest: {
            since: components["schemas"]["Timestamp"];
        };
        /** @description How many deliveries were queued anew. */
        RedeliverFailedResult: {
            /** @description Deliveries queued anew. */
            count: number;
        };
        RegenerateApiKeyRequest: {
            /**
             * @description How long the old key stays active, 0 to 604 800 s.
             * @default 0
             */
            gracePeriodSeconds?: number;
        };
        /**
         * @description `member` may generate, read and cancel the project's generations and read the usage; `admin` may do everything.
         * @enum {string}
         */
        Role: "admin" | "member";
        /** @description The project's new signing secret. */
        RotatedSigningSecret: {
            createdAt: components["schemas"]["Timestamp"];
            previousExpiresAt: components["schemas"]["Timestamp"];
            secret: components["schemas"]["SecretValue"];
        };
        RotateSigningSecretRequest: {
            force?: components["schemas"]["ForceRotation"];
            overlapSeconds?: components["schemas"]["OverlapSeconds"];
        };
        RotateWebhookSecretRequest: {
            force?: components["schemas"]["ForceRotation"];
            overlapSeconds?: components["schemas"]["OverlapSeconds"];
        };
        /** @description A signing secret, `whsec_` and the standard base64 of 24 to 64 bytes. */
        SecretValue: string;
        /** @description The project's signing secret, which signs result callbacks. */
        SigningSecret: {
            createdAt: components["schemas"]["Timestamp"];
            secret: components["schemas"]["SecretValue"];
        };
        /**
         * Format: date-time
         * @description A time, RFC 3339 in UTC with milliseconds.
         * @example 2026-01-01T00:00:00.000Z
         */
        Timestamp: string;
        /** @description What a completed generation used. */
        TokenUsage: {
            /** @description Tokens of the result. */
            completionTokens: number;
            /** @description Tokens of the prompt. */
            promptTokens: number;
            /** @description Tokens of prompt and completion together. */
            totalTokens: number;
        };
        /** @description Problem of a 429 answer. */
        TooManyRequestsProblem: components["schemas"]["RateLimitedProblem"] | components["schemas"]["QuotaExceededProblem"];
        /** @description Problem of a 401 answer. */
        UnauthorizedProblem: components["schemas"]["Problem"] & {
            /** @enum {string} */
            code: "missing_credentials" | "invalid_api_key" | "revoked_api_key" | "expired_api_key" | "invalid_token" | "expired_token" | "multiple_credentials";
            /** @constant */
            status: 401;
        };
        /** @description Problem of a 503 answer. */
        UnavailableProblem: components["schemas"]["Problem"] & {
            /** @constant */
            code: "unavailable";
            /** @constant */
            status: 503;
        };
        /** @description Problem of a 422 answer. */
        UnprocessableProblem: components["schemas"]["Problem"] & {
            /** @enum {string} */
            code: "validation_failed" | "model_not_found" | "idempotency_key_reused";
            /** @description Each fault of the request; empty for `idempotency_key_reused`. */
            errors: components["schemas"]["FieldError"][];
            /** @constant */
            status: 422;
        };
        /** @description Problem of a 415 answer. */
        UnsupportedMediaTypeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            code: "unsupported_media_type";
            /** @constant */
            status: 415;
        };
        UpdateWebhookRequest: {
            /** @description A note for people, up to 500 characters. */
            description?: string;
            status?: components["schemas"]["WebhookStatus"];
            /** @description `usage_threshold` only: the share of the quota that triggers the event. */
            threshold?: number;
            /** @description A new secret token. */
            token?: string;
            /**
             * Format: uri
             * @description Where to post from now on, pending deliveries included.
             */
            url?: string;
        };
        /** @description Usage of an organization in the current period, in tokens. */
        Usage: {
            /** @description The organization. */
            organization: string;
            periodEnd: components["schemas"]["Timestamp"];
            periodStart: components["schemas"]["Timestamp"];
            /** @description Tokens of the monthly quota. */
            quota: number;
            /** @description Tokens left, never below 0. */
            remaining: number;
            /** @description Generations completed in the period. */
            requests: number;
            /** @description Tokens used. */
            used: number;
        };
        /** @description Body of a `usage_threshold` event. */
        UsageThresholdEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            event: "usage_threshold";
            /** @description Identifier of the organization. */
            organization: string;
            periodEnd?: components["schemas"]["Timestamp"];
            periodStart?: components["schemas"]["Timestamp"];
            /** @description The monthly quota, in tokens. */
            quota?: number;
            /** @description Quota threshold that applies, in tokens. */
            threshold: number;
            /** @description Quota consumed so far, in tokens. */
            usage: number;
        };
        /** @description A registration for one system event. */
        Webhook: {
            createdAt: components["schemas"]["Timestamp"];
            /** @description Note for people. */
            description?: string;
            /**
             * @description Why it is disabled: `gone` (410), `failing` (all deliveries failed for 5 days) or `requested`.
             * @example gone
             * @example failing
             * @example requested
             */
            disabledReason?: string;
            event: components["schemas"]["WebhookEvent"];
            failingSince?: components["schemas"]["Timestamp"];
            /** @description Whether deliveries carry `X-Service-Token`. */
            hasToken: boolean;
            /** @description Identifier of the registration. */
            id: string;
            status: components["schemas"]["WebhookStatus"];
            /** @description `usage_threshold` only: share of the quota, above 0 up to 1. */
            threshold?: number;
            updatedAt: components["schemas"]["Timestamp"];
            /** @description Where events are posted. */
            url: string;
        };
        /**
         * @description Type of a system event.
         * @enum {string}
         */
        WebhookEvent: "usage_threshold" | "invoice_paid" | "invoice_payment_failed" | "data_updated";
        /** @description A page of registrations, newest first. */
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            nextCursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description A `disabled` registration gets no deliveries.
         * @enum {string}
         */
        WebhookStatus: "enabled" | "disabled";
        /** @description A registration with its signing secret, which no later answer repeats. */
        WebhookWithSecret: components["schemas"]["Webhook"] & {
            secret: components["schemas"]["SecretValue"];
        };
    };
    responses: {
        /** @description The request cannot be read. */
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
        /** @description Taken, or already known. Any 2xx within 15 s counts; anything else is retried. */
        CallbackAccepted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The endpoint is gone. The registration is disabled at once, or the callback's delivery ends. */
        CallbackGone: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Try again, not before `Retry-After` when that is given. */
        CallbackLater: {
            headers: {
                "Retry-After": components["headers"]["Retry-After-Optional"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The state of the record, or of a call under the same idempotency key, forbids it now. */
        Conflict: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After-Optional"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConflictProblem"];
            };
        };
        /** @description The role of the credentials does not allow the operation. */
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
        /** @description The service, or the model of a synchronous generation, failed. */
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
        /** @description No such record in the caller's project. */
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
        /** @description The body is over 1 MiB. */
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
         * @description Too many requests for now (`rate_limited`: wait for `Retry-After`), or the month's quota is used up
         *     (`quota_exceeded`: no retry helps before `resetsAt`).
         */
        TooManyRequests: {
            headers: {
                "API-Version": components["headers"]["API-Version"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After-Optional"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TooManyRequestsProblem"];
            };
        };
        /** @description The credentials are missing or invalid; said by the gateway before anything else. */
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
        /** @description The service cannot answer now. */
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
        /** @description The request can be read but is not valid. */
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
        /** @description The body is not declared as `application/json`. */
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
         * @description Identifier of the API key (never the key itself).
         * @example key_01kdvsz0g0b2h8x1d6v0r9e4ta
         */
        ApiKeyId: string;
        /** @description The `nextCursor` of the page before. */
        Cursor: string;
        /**
         * @description Identifier of the delivery.
         * @example dlv_01kdvsz0g0t4j6r8p1z3x5v7hc
         */
        DeliveryId: string;
        /**
         * @description Identifier of the generation.
         * @example gen_01kdvsz0g0q7gd8tkm0qz3pj5a
         */
        GenerationId: string;
        /**
         * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
         *     project.
         * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
         */
        IdempotencyKey: string;
        /** @description Rows per page, 1 to 100. */
        Limit: number;
        /**
         * @description Space-separated list of `v1,<base64>`, one entry per active secret, the newest first. Each is the HMAC-SHA256
         *     of `<webhook-id>.<webhook-timestamp>.<raw body>` under the bytes behind `whsec_`.
         * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
         */
        ServiceSignature: string;
        /** @description The registration's `token`, verbatim, when it has one. */
        ServiceToken: string;
        /**
         * @description Identifier of the message, the same on every attempt. It is the receiver's idempotency key.
         * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
         */
        WebhookId: string;
        /**
         * @description Identifier of the registration.
         * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
         */
        WebhookRegistrationId: string;
        /**
         * @description The same value as `X-Service-Signature`, for Standard Webhooks libraries.
         * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
         */
        WebhookSignature: string;
        /**
         * @description Time of this attempt in Unix seconds.
         * @example 1767225600
         */
        WebhookTimestamp: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Version of the API that answered.
         * @example 2
         */
        "API-Version": "2";
        /**
         * @description `true` when the answer is the remembered one of an earlier request under the same key.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * @description What is left of the caller's rate limit, when one is set (draft-ietf-httpapi-ratelimit-headers).
         * @example "default";r=41;t=12
         */
        RateLimit: string;
        /**
         * @description The caller's rate limit, when one is set (draft-ietf-httpapi-ratelimit-headers).
         * @example "default";q=60;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Whole seconds to wait before the next try, at least 1.
         * @example 1
         */
        "Retry-After": string;
        /**
         * @description Whole seconds to wait before the next try, at least 1; present where waiting helps.
         * @example 1
         */
        "Retry-After-Optional": string;
        /**
         * @description The challenges of RFC 9110, with `error="invalid_token"` on a bad token.
         * @example ApiKey realm="contentgen", Bearer realm="contentgen"
         */
        "WWW-Authenticate": string;
        /**
         * @description Identifier of this answer; the caller's own is echoed when it is `[A-Za-z0-9._-]{1,128}`.
         * @example req_01kdvsz0g0m3k5h7j9n1b2d4se
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createApiKeyAlias: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
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
            /** @description The new key, shown once. */
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
                /** @description The `nextCursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Rows per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Only generations in this state. */
                status?: components["schemas"]["GenerationStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of generations. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
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
            /** @description The completed generation, or the stream of its events. */
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
                    "text/event-stream": components["schemas"]["GenerationStreamData"];
                };
            };
            /** @description Accepted for asynchronous processing; the result is posted to `webhookUrl`. */
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
            header?: never;
            path: {
                /**
                 * @description Identifier of the generation.
                 * @example gen_01kdvsz0g0q7gd8tkm0qz3pj5a
                 */
                requestId: components["parameters"]["GenerationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The generation as it is now. */
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
                };
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Identifier of the generation.
                 * @example gen_01kdvsz0g0q7gd8tkm0qz3pj5a
                 */
                requestId: components["parameters"]["GenerationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The canceled generation. */
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
                /** @description The `nextCursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Rows per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of API keys. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
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
            /** @description The new key, shown once. */
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
                 * @description Identifier of the API key (never the key itself).
                 * @example key_01kdvsz0g0b2h8x1d6v0r9e4ta
                 */
                id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Identifier of the API key (never the key itself).
                 * @example key_01kdvsz0g0b2h8x1d6v0r9e4ta
                 */
                id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RegenerateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The new key, shown once. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Identifier of the API key (never the key itself).
                 * @example key_01kdvsz0g0b2h8x1d6v0r9e4ta
                 */
                id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
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
            /** @description Usage and quota. */
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
                /** @description The `nextCursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Rows per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of registrations. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
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
            /** @description The registration with its secret. */
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
                 * @description Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The registration. */
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
                 * @description Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
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
                 * @description Identifier of the registration.
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
            /** @description The changed registration. */
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
                /** @description The `nextCursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Rows per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Identifier of the registration.
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
            /** @description How many deliveries were queued anew. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Identifier of the registration.
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
            /** @description The registration with its new secret. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Identifier of the registration.
                 * @example wh_01kdvsz0g0n5s7c3m2k8y4w6fb
                 */
                id: components["parameters"]["WebhookRegistrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery that was queued. */
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
                /** @description The `nextCursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Rows per page, 1 to 100. */
                limit?: components["parameters"]["Limit"];
                /** @description Only the callbacks of this generation. */
                requestId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
                 * @example 7f5f3c0e-5f0b-4a63-9c55-0d1c5b2c1f7e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Identifier of the delivery.
                 * @example dlv_01kdvsz0g0t4j6r8p1z3x5v7hc
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery that was queued anew. */
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
    getSigningSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current secret. */
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
                 * @description Names the logical call, so that sending it again is safe: 1 to 255 visible ASCII characters, kept 24 hours per
                 *     project.
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
            /** @description The new secret. */
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
                 * @description Identifier of the message, the same on every attempt. It is the receiver's idempotency key.
                 * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The same value as `X-Service-Signature`, for Standard Webhooks libraries.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description Time of this attempt in Unix seconds.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Space-separated list of `v1,<base64>`, one entry per active secret, the newest first. Each is the HMAC-SHA256
                 *     of `<webhook-id>.<webhook-timestamp>.<raw body>` under the bytes behind `whsec_`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The registration's `token`, verbatim, when it has one. */
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
                 * @description Identifier of the message, the same on every attempt. It is the receiver's idempotency key.
                 * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The same value as `X-Service-Signature`, for Standard Webhooks libraries.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description Time of this attempt in Unix seconds.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Space-separated list of `v1,<base64>`, one entry per active secret, the newest first. Each is the HMAC-SHA256
                 *     of `<webhook-id>.<webhook-timestamp>.<raw body>` under the bytes behind `whsec_`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The registration's `token`, verbatim, when it has one. */
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
                 * @description Identifier of the message, the same on every attempt. It is the receiver's idempotency key.
                 * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The same value as `X-Service-Signature`, for Standard Webhooks libraries.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description Time of this attempt in Unix seconds.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Space-separated list of `v1,<base64>`, one entry per active secret, the newest first. Each is the HMAC-SHA256
                 *     of `<webhook-id>.<webhook-timestamp>.<raw body>` under the bytes behind `whsec_`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The registration's `token`, verbatim, when it has one. */
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
                 * @description Identifier of the message, the same on every attempt. It is the receiver's idempotency key.
                 * @example msg_01kdvsz0g0e9a2q4w6y8c1f3gd
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The same value as `X-Service-Signature`, for Standard Webhooks libraries.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description Time of this attempt in Unix seconds.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description Space-separated list of `v1,<base64>`, one entry per active secret, the newest first. Each is the HMAC-SHA256
                 *     of `<webhook-id>.<webhook-timestamp>.<raw body>` under the bytes behind `whsec_`.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /** @description The registration's `token`, verbatim, when it has one. */
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
