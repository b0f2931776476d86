// Generated from openapi.yaml by `npm run generate`. Do not edit.
import type { components } from './openapi.ts';

type Schemas = components['schemas'];

/** The contract's example of each event. */
export const samples: {
  readonly generation_completed: Schemas['GenerationCompletedCallback'];
  readonly generation_failed: Schemas['GenerationFailedCallback'];
  readonly usage_threshold: Schemas['UsageThresholdEvent'];
  readonly invoice_paid: Schemas['InvoicePaidEvent'];
  readonly invoice_payment_failed: Schemas['InvoicePaymentFailedEvent'];
  readonly data_updated: Schemas['DataUpdatedEvent'];
} = {
  "generation_completed": {
    "requestId": "gen_01kdvsz0g0q7gd8tkm0qz3pj5a",
    "status": "completed",
    "result": "Packets cross the sea, / each one waits to be received; / lost ones sail again.",
    "model": "content-1",
    "usage": {
      "totalTokens": 27,
      "promptTokens": 6,
      "completionTokens": 21
    },
    "metadata": {
      "article": "42"
    },
    "completedAt": "2026-01-01T00:00:00.912Z"
  },
  "generation_failed": {
    "requestId": "gen_01kdvsz0g0q7gd8tkm0qz3pj5a",
    "status": "failed",
    "model": "content-1",
    "error": {
      "code": "generation_failed",
      "message": "The model failed."
    },
    "completedAt": "2026-01-01T00:00:00.912Z"
  },
  "usage_threshold": {
    "event": "usage_threshold",
    "organization": "org_01kdvsz0g0a1c3e5g7j9m1p3rv",
    "occurredAt": "2026-01-01T00:00:00.000Z",
    "usage": 900012,
    "threshold": 900000,
    "quota": 1000000,
    "periodStart": "2026-01-01T00:00:00.000Z",
    "periodEnd": "2026-02-01T00:00:00.000Z"
  },
  "invoice_paid": {
    "event": "invoice_paid",
    "organization": "org_01kdvsz0g0a1c3e5g7j9m1p3rv",
    "occurredAt": "2026-01-01T00:00:00.000Z",
    "invoice": {
      "id": "inv_01kdvsz0g0v5x7z9b1d3f5h7ky",
      "number": "2026-01-0001",
      "amountDue": 4200,
      "amountPaid": 4200,
      "currency": "usd",
      "periodStart": "2026-01-01T00:00:00.000Z",
      "periodEnd": "2026-02-01T00:00:00.000Z",
      "status": "paid"
    }
  },
  "invoice_payment_failed": {
    "event": "invoice_payment_failed",
    "organization": "org_01kdvsz0g0a1c3e5g7j9m1p3rv",
    "occurredAt": "2026-01-01T00:00:00.000Z",
    "invoice": {
      "id": "inv_01kdvsz0g0v5x7z9b1d3f5h7ky",
      "number": "2026-01-0001",
      "amountDue": 4200,
      "amountPaid": 0,
      "currency": "usd",
      "periodStart": "2026-01-01T00:00:00.000Z",
      "periodEnd": "2026-02-01T00:00:00.000Z",
      "status": "payment_failed",
      "failureReason": "card_declined"
    }
  },
  "data_updated": {
    "event": "data_updated",
    "organization": "org_01kdvsz0g0a1c3e5g7j9m1p3rv",
    "occurredAt": "2026-01-01T00:00:00.000Z",
    "source": "crm",
    "reason": "ingestion_completed",
    "records": 1280,
    "updatedAt": "2026-01-01T00:00:00.000Z"
  }
};
