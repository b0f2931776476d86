// Budgets for what users ship and install, in kB. To raise one, change it here in the same change and say in the comment
// what the size buys.
export const peers = [
  'node:*',
  'msw',
  'zod',
  '@opentelemetry/api',
  '@sinonjs/fake-timers',
  '@electric-sql/pglite',
];
const entry = (name, path, limit, imports) => ({ name, path, limit, imports });

export const budgets = [
  // Everything that a call can need, with openapi-fetch (2.4 kB), streams that go on after a break, and the names that
  // each response promises (0.6 kB). 0.4 kB find a key or prompt that the service quotes in another spelling, 0.2 kB
  // spare client.http a Request, name a mistaken webhookUrl and resume a stream whose ids no header can carry. Comparable clients: 20 to 106 kB.
  entry('client', 'index', 26.2, 'ContentGen'),
  entry('isApiError', 'index', 0.5, 'isApiError'),
  // Every error class too. 0.1 kB say when to call wait where there is nothing to poll.
  entry('client, everything', 'index', 26.7),
  // Runs in Workers and on the edge, with the diagnosis and its texts inside, and what to pass in place of Hono's context.
  entry('verifyWebhook', 'webhooks', 9.4, 'verifyWebhook'),
  // 0.1 kB, in the verifier too, say what to pass in place of Hono's context. The verifier, dispatch to callbacks, deduplication in memory, leases, and waiting for results.
  entry('createWebhookHandler', 'webhooks', 14.1, 'createWebhookHandler'),
  // The handler, the processor behind a queue, and signing.
  entry('webhooks, everything', 'webhooks', 15.5),
  // Only who has a deployment: its check, the names of every schema, and its schemes.
  entry('deployment', 'deployment', 12.5),
  // Adapters only, here and below: the handler, the Redis or database client and the queue are passed in.
  // It makes the Headers of every delivery, as the secret function gets them, and ends a body that takes too long (0.1 kB).
  entry('webhooks/node', 'webhooks/node', 3.8),
  // 0.1 kB name a Redis that evicts.
  entry('webhooks/redis', 'webhooks/redis', 2.2),
  // 0.4 kB find a commitWith outside its transaction, keep renewals apart and name columns that were renamed.
  entry('webhooks/postgres', 'webhooks/postgres', 3.7),
  // Signing, sample events, the audit with some 60 checks, 111 deliveries for verifiers (4 kB) and conformance, which proves
  // the file that it finds with the client, verifyWebhook and defineDeployment (33 kB); never in production. The redactor reads values by
  // their shape (0.6 kB).
  entry('testing', 'testing', 66.5),
  entry('otel', 'otel', 3),
  // A queue, what five kinds of headers say, and the options' rules.
  entry('pacing', 'pacing', 5),
  entry('schemas', 'schemas', 2.9),
  // Tests only, here and below: the whole service, with undici, jose, zod and the situations (1 kB).
  entry('mock', 'mock/index', 196),
  // The server, its pages and the transport of deliveries, with undici.
  entry('mock/http', 'mock/http', 25),
  // The reference server and the client.
  entry('simulate', 'mock/simulate', 242),
  // 0.3 kB say what is wrong with the value of an option, and not only with its name.
  entry('mock/remote', 'mock/remote', 2.6),
];

/** The page of the reference server and what it loads before it is visible: Preact, the one list, detail and form. */
export const pageBudget = 60;
