import { createHmac } from 'node:crypto';
import type { Reading } from './reading.ts';
import type { Answer } from './service.ts';

const hmac =
  (
    algorithm: string,
    encoding: 'hex' | 'base64',
    headersOf: (digest: string) => Record<string, string>,
  ) =>
  (payload: string, secret: string) =>
    headersOf(createHmac(algorithm, secret).update(payload).digest(encoding));

const inHeader = (digest: string) => ({ 'x-service-signature': digest });
const behindName = (digest: string) => inHeader(`sha256=${digest}`);
const bare = (status: number): Answer => ({ status });
const page = (status: number): Answer => ({
  status,
  body: `<!doctype html><title>${status}</title><center><h1>${status}</h1></center><hr>gateway`,
});

/** The smallest service: what the specification gives, its names and nothing else. */
const plain: Reading = {
  paths: {
    generate: '/api/ai/content/generate',
    keys: '/api/auth/api-keys',
    hooks: '/api/webhooks',
  },
  has: [],
  names: {
    ...{ prompt: 'prompt', callback: 'webhookUrl', requestId: 'requestId', result: 'result' },
    ...{ model: 'model', totalTokens: 'usage.totalTokens', key: 'key', event: 'event', url: 'url' },
  },
  credential: ['x-api-key', ''],
  words: { started: 'processing' },
  statuses: {
    ...{ done: 200, started: 202, created: 201, removed: 204, invalid: 400, otherMethod: 404 },
  },
  error: bare,
  sign: hmac('sha256', 'hex', inHeader),
  generationMs: 20,
  tokens: 12,
  secretPrefix: 'an ordinary secret, chosen by a person ',
};
const { event: _, url: __, ...silent } = plain.names;

/** Three services that conform to the specification. No two agree on what it leaves open. */
export const givenOnly = {
  plain,
  renamed: {
    ...plain,
    error: page,
    names: {
      ...plain.names,
      ...{ callback: 'callbackUrl', requestId: 'id', result: 'output', model: 'engine' },
      ...{ totalTokens: 'tokens.total', key: 'api_key' },
    },
  },
  mixed: {
    ...plain,
    wrap: 'data',
    prefix: '/v2',
    paths: { ...plain.paths, keys: '/api-keys/generate' },
    statuses: { ...plain.statuses, started: 200 },
    error: (status) => ({ status, body: { message: 'No.' } }),
    sign: hmac('sha256', 'base64', behindName),
    names: { ...silent, requestId: 'job.id', key: 'credential.secret' },
  },
} satisfies Readonly<Record<string, Reading>>;

const full = { ...plain.names, keyId: 'id', hookId: 'id' };

/** Every name in snake_case, `sha256=<hex>`; keys and registrations can be listed and removed. */
const snakeCase: Reading = {
  ...plain,
  has: ['GET keys', 'DELETE keys/#', 'GET hooks', 'DELETE hooks/#'],
  names: {
    ...{ ...full, callback: 'webhook_url', requestId: 'request_id', keyName: 'name' },
    ...{ totalTokens: 'usage.total_tokens', createdAt: 'created_at', nextCursor: 'next_cursor' },
  },
  statuses: { ...plain.statuses, invalid: 422, otherMethod: 405 },
  error: (status, code, message) => ({
    status,
    body: { error_code: code, error_message: message },
  }),
  sign: hmac('sha256', 'hex', behindName),
  secretPrefix: 'whsec_',
};

/** Everything stands in `data`, QUEUED and DONE, Base64; generations can be read and listed. No registrations. */
const dataWrapper: Reading = {
  ...plain,
  paths: { generate: plain.paths.generate, keys: plain.paths.keys },
  has: ['GET generate', 'GET generate/#', 'GET keys', 'DELETE keys/#'],
  names: { ...full, keyName: 'name', createdAt: 'createdAt' },
  wrap: 'data',
  words: { started: 'QUEUED', done: 'DONE' },
  error: (status, code, message) => ({ status, body: { error: { code, message } } }),
  sign: hmac('sha256', 'base64', inHeader),
  secretPrefix: '',
};

/** Signs as Stripe does, and generates only with a callback; the response to a registration has a secret of its own. */
const stripeSigned: Reading = {
  ...plain,
  names: { ...full, secret: 'secret' },
  statuses: { ...plain.statuses, started: 200 },
  demandsCallback: true,
  error: (status, type, message) => ({ status, body: { error: { type, message } } }),
  sign(payload, secret) {
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', secret).update(`${t}.${payload}`).digest('hex');
    return { 'x-service-signature': `t=${t},v1=${v1}` };
  },
  secretPrefix: 'whsec_',
};

/** Everything below `/v1`, a limit of calls per second, slow generations, and milliseconds in a header of their own. */
const rateLimited: Reading = {
  ...plain,
  paths: {
    ...{ generate: '/v1/ai/content/generate', keys: '/v1/auth/api-keys', hooks: '/v1/webhooks' },
    usage: '/v1/usage',
  },
  names: { ...full, keyName: 'name' },
  error: (status, code, detail) => ({ status, body: { code, detail } }),
  sign(payload, secret) {
    const timestamp = `${Date.now()}`;
    const digest = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
    return { 'x-service-timestamp': timestamp, ...inHeader(digest) };
  },
  callsPerSecond: 25,
  generationMs: 200,
};

/**
 * Behind a gateway that answers HTML for every error, takes the key as a Bearer token, and answers 409 to an
 * Idempotency-Key that was seen. Its signatures are upper-case SHA-512. No registrations.
 */
const htmlErrors: Reading = {
  ...plain,
  paths: { generate: plain.paths.generate, keys: plain.paths.keys },
  names: {
    ...{ ...plain.names, callback: 'callbackUrl', requestId: 'job_id', result: 'output' },
    ...{ keyId: 'key_id', key: 'api_key', keyName: 'label' },
  },
  credential: ['authorization', 'Bearer '],
  statuses: { ...plain.statuses, created: 200, otherMethod: 405 },
  error: page,
  refusesRepeats: true,
  sign: hmac('sha512', 'hex', (digest) => ({ 'x-signature': digest.toUpperCase() })),
};

/**
 * Kebab-case, ids as numbers, 201 for everything, errors in a list, unknown fields refused, callbacks that say their
 * `type`, and everything below `/api/v3`.
 */
const kebabCase: Reading = {
  ...plain,
  paths: {
    generate: '/api/v3/ai/content/generate',
    keys: '/api/v3/auth/api-keys',
    hooks: '/api/v3/webhooks',
  },
  has: ['GET generate/#', 'DELETE keys/#', 'DELETE hooks/#'],
  names: {
    ...{ ...plain.names, callback: 'webhook-url', requestId: 'request-id' },
    totalTokens: 'usage.total-tokens',
    ...{ keyId: 'key-id', key: 'api-key', hookId: 'webhook-id' },
  },
  isNumbered: true,
  isStrict: true,
  statuses: { ...plain.statuses, done: 201, started: 201, removed: 201 },
  error: (status, code, message) => ({ status, body: { errors: [{ code, message }] } }),
  sign: hmac('sha256', 'base64', (digest) => ({ 'x-request-signature': digest })),
  callbackSays: { type: 'generation.finished' },
};

/** Six readings of the interface specification that differ in more than its gaps. */
export const dialects = {
  ...{ snakeCase, dataWrapper, stripeSigned, rateLimited, htmlErrors, kebabCase },
} satisfies Readonly<Record<string, Reading>>;
