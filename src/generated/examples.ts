// Generated from openapi.yaml by `npm run generate`. Do not edit.
/** Records from the contract's examples. */
export const exampleRecords = {
  "generation": {
    "requestId": "gen_01kdvsz0g0q7gd8tkm0qz3pj5a",
    "status": "completed",
    "model": "content-1",
    "result": "Packets cross the sea, / each one waits to be received; / lost ones sail again.",
    "usage": {
      "totalTokens": 27,
      "promptTokens": 6,
      "completionTokens": 21
    },
    "createdAt": "2026-01-01T00:00:00.000Z",
    "completedAt": "2026-01-01T00:00:00.912Z"
  },
  "cancelable": {
    "requestId": "gen_01kdvsz0g0q7gd8tkm0qz3pj5a",
    "status": "processing",
    "model": "content-1",
    "webhookUrl": "https://app.example/callbacks",
    "createdAt": "2026-01-01T00:00:00.000Z"
  },
  "callback": {
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
  "apiKey": {
    "id": "key_01kdvsz0g0b2h8x1d6v0r9e4ta",
    "name": "ci",
    "role": "member",
    "hint": "cg_test_…Zk4T",
    "organization": "org_01kdvsz0g0a1c3e5g7j9m1p3rv",
    "project": "prj_01kdvsz0g0b2d4f6h8k0n2q4sw",
    "status": "active",
    "createdAt": "2026-01-01T00:00:00.000Z",
    "createdBy": "key_01kdvsz0g0a1c3e5g7j9m1p3rt",
    "expiresAt": null
  },
  "webhook": {
    "id": "wh_01kdvsz0g0n5s7c3m2k8y4w6fb",
    "event": "usage_threshold",
    "url": "https://app.example/hooks",
    "threshold": 0.9,
    "status": "enabled",
    "hasToken": false,
    "createdAt": "2026-01-01T00:00:00.000Z",
    "updatedAt": "2026-01-01T00:00:00.000Z"
  },
  "delivery": {
    "id": "dlv_01kdvsz0g0t4j6r8p1z3x5v7hc",
    "messageId": "msg_01kdvsz0g0e9a2q4w6y8c1f3gd",
    "webhookId": "wh_01kdvsz0g0n5s7c3m2k8y4w6fb",
    "event": "usage_threshold",
    "url": "https://app.example/hooks",
    "status": "delivered",
    "createdAt": "2026-01-01T00:00:00.000Z",
    "attempts": [
      {
        "at": "2026-01-01T00:00:00.000Z",
        "status": 503,
        "durationMs": 41,
        "error": "status",
        "response": "try later",
        "headers": {
          "content-type": "text/plain",
          "retry-after": "5"
        }
      },
      {
        "at": "2026-01-01T00:00:05.204Z",
        "status": 200,
        "durationMs": 38,
        "response": ""
      }
    ]
  },
  "callbackDelivery": {
    "id": "dlv_01kdvsz0g0t4j6r8p1z3x5v7hd",
    "messageId": "msg_01kdvsz0g0e9a2q4w6y8c1f3ge",
    "requestId": "gen_01kdvsz0g0q7gd8tkm0qz3pj5a",
    "event": "generation_completed",
    "url": "https://app.example/callbacks",
    "status": "delivered",
    "createdAt": "2026-01-01T00:00:00.912Z",
    "attempts": [
      {
        "at": "2026-01-01T00:00:00.912Z",
        "status": 200,
        "durationMs": 38,
        "response": ""
      }
    ]
  },
  "event": {
    "event": "usage_threshold",
    "organization": "org_01kdvsz0g0a1c3e5g7j9m1p3rv",
    "occurredAt": "2026-01-01T00:00:00.000Z",
    "usage": 900012,
    "threshold": 900000,
    "quota": 1000000,
    "periodStart": "2026-01-01T00:00:00.000Z",
    "periodEnd": "2026-02-01T00:00:00.000Z"
  }
} as const;

/** Operation id → the example id of its path parameter. */
export const exampleIds = {
  "getGeneration": "gen_01kdvsz0g0q7gd8tkm0qz3pj5a",
  "cancelGeneration": "gen_01kdvsz0g0q7gd8tkm0qz3pj5b",
  "getApiKey": "key_01kdvsz0g0b2h8x1d6v0r9e4ta",
  "revokeApiKey": "key_01kdvsz0g0b2h8x1d6v0r9e4ta",
  "regenerateApiKey": "key_01kdvsz0g0b2h8x1d6v0r9e4tb",
  "getWebhook": "wh_01kdvsz0g0n5s7c3m2k8y4w6fb",
  "updateWebhook": "wh_01kdvsz0g0n5s7c3m2k8y4w6fb",
  "deleteWebhook": "wh_01kdvsz0g0n5s7c3m2k8y4w6fc",
  "rotateWebhookSecret": "wh_01kdvsz0g0n5s7c3m2k8y4w6fb",
  "testWebhook": "wh_01kdvsz0g0n5s7c3m2k8y4w6fb",
  "listDeliveries": "wh_01kdvsz0g0n5s7c3m2k8y4w6fb",
  "redeliverFailed": "wh_01kdvsz0g0n5s7c3m2k8y4w6fb",
  "redeliver": "dlv_01kdvsz0g0t4j6r8p1z3x5v7hc"
} as const;
