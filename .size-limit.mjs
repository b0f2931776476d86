// Budgets for what users ship and install, min + gzip, each entry in one file without its peers; run `npm run build`
// first. To raise one, change it here in the same change and say in the comment what the size buys.
const peers = [
  'node:*',
  'msw',
  'zod',
  '@opentelemetry/api',
  '@sinonjs/fake-timers',
  '@electric-sql/pglite',
];
/** What few need is a file of its own: the diagnosis, and what a client does with a deployment. */
const later = ['diagnose-*', 'deployment-rule'].flatMap((name) => [
  `./${name}.js`,
  `../${name}.js`,
]);

const entry = (name, path, limit, { import: imported = '*', later = [] } = {}) => ({
  name,
  path: `dist/${path}.js`,
  import: imported,
  limit: `${limit} kB`,
  gzip: true,
  ignore: [...peers, ...later],
  modifyEsbuildConfig: (config) => ({
    ...config,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    legalComments: 'none',
    logLevel: 'error',
  }),
});

export default [
  // Everything that a call can need, with openapi-fetch (2.4 kB). Comparable clients: 20 to 106 kB. Since 19.5 kB: the
  // options of a deployment (0.5), waits and streams that survive outages, with the grammar of rate limits (1.8),
  // advice in the first errors (0.9), and streams that go on after a break, with watch() (1.4, of which 0.15 end each
  // connection's trace, free its place before the next one, and find an end that lacks text).
  entry('client', 'index', 25.4, { import: '{ ContentGen }', later }),
  entry('isApiError', 'index', 0.5, { import: '{ isApiError }' }),
  // Every error class too.
  entry('client, everything', 'index', 25.8, { later }),
  // What a client with a deployment loads besides: its rules and the translation of bodies.
  entry('client, a deployment', 'deployment-rule', 3.1),
  // Runs in Workers and on the edge. 2.8 kB are the check of a deployment, its names and the schemes that it
  // can choose; 40 bytes name a framework's own limit of a body. Here and below, 0.1 to 0.3 kB are the common rules for
  // options.
  entry('verifyWebhook', 'webhooks', 10.5, { import: '{ verifyWebhook }', later }),
  // The verifier, dispatch to callbacks, deduplication in memory, and waiting for results. 0.2 kB say why a delivery
  // that names no event is rejected.
  entry('createWebhookHandler', 'webhooks', 15.7, {
    import: '{ createWebhookHandler }',
    later,
  }),
  // The handler, the processor behind a queue, the diagnosis and signing.
  entry('webhooks, everything', 'webhooks', 23.1),
  // Adapters only, here and below: the handler, the Redis or database client and the queue are passed in.
  entry('webhooks/node', 'webhooks/node', 5.8, { later }),
  entry('webhooks/redis', 'webhooks/redis', 3.5),
  entry('webhooks/postgres', 'webhooks/postgres', 5.8),
  // Signing, sample events, the audit with some 60 checks, 111 deliveries for verifiers (4 kB) and the clauses of
  // conformance, which note what they create before it is sent and check their own bodies with validators; never in
  // production.
  entry('testing', 'testing', 43.5),
  entry('otel', 'otel', 3.3),
  entry('schemas', 'schemas', 3.5),
  // Tests only, here and below: the whole service, with undici, jose, zod and the situations (1 kB).
  entry('mock', 'mock/index', 213),
  // The server, its pages and the transport of deliveries, with undici.
  entry('mock/http', 'mock/http', 80),
  // The reference server, the client, and the part of fast-check that reduces a failing run;
  // 2 kB are the stand-ins for queues and for Node's server.
  entry('simulate', 'mock/simulate', 273),
  entry('mock/remote', 'mock/remote', 2.5),
];
