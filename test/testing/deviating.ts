import type { DeploymentJson } from '../../src/index.ts';

export interface Deviation {
  /** What the server does differently. */
  readonly deployment: DeploymentJson;
  /** The clauses of conform that say so, with their lines. */
  readonly findings: Readonly<Record<string, unknown>>;
  /** What no request gives away, so that it is written into the file by hand. */
  readonly byHand?: DeploymentJson;
}

const sha512 = { type: 'hmac', algorithm: 'sha512', format: 'sha512={signature}' };
const oneFinding = (id: string, deployment: DeploymentJson): Deviation => ({
  deployment,
  findings: { [id]: deployment },
});

/** Servers that differ from ours in one to four fields. */
export const deviating: Readonly<Record<string, Deviation>> = {
  wrapped: oneFinding('usage.get', { wrap: 'data' }),
  'key renamed': oneFinding('keys.shown', { fields: { key: 'apiKey' } }),
  'key like another field': {
    deployment: { fields: { key: 'secret', secret: 'key' } },
    findings: {
      'keys.shown': { fields: { key: 'secret' } },
      'registrations.secret': { fields: { secret: 'key' } },
    },
  },
  'request id is id': oneFinding('generate.result', { fields: { requestId: 'id' } }),
  'deep names': oneFinding('generate.result', {
    fields: { 'usage.totalTokens': 'tokens.total', result: 'output.text' },
  }),
  'their words': {
    deployment: { statuses: { completed: 'succeeded', failed: 'errored', processing: 'queued' } },
    findings: {
      'generate.result': { statuses: { completed: 'succeeded' } },
      'acknowledgement.status': { statuses: { processing: 'queued' } },
    },
    byHand: { statuses: { failed: 'errored' } },
  },
  'a callback field, and a wrapper': {
    deployment: { wrap: 'payload', webhookUrlField: 'callback_url' },
    findings: {
      'usage.get': { wrap: 'payload' },
      'generate.webhook-url': { webhookUrlField: 'callback_url' },
    },
  },
  'plain hex': oneFinding('callback.signature', {
    scheme: { type: 'hmac' },
    secretEncoding: 'utf8',
  }),
  'plain base64': oneFinding('callback.signature', {
    scheme: {
      ...{ type: 'hmac', encoding: 'base64' },
      ...{ idHeader: 'webhook-id', timestampHeader: 'webhook-timestamp' },
    },
    secretEncoding: 'base64',
  }),
  'prefixed sha512, without envelope': {
    deployment: { scheme: { ...sha512, header: 'X-Hub' }, secretEncoding: 'hex' },
    findings: {
      'callback.signature': { scheme: { ...sha512, header: 'x-hub' }, secretEncoding: 'hex' },
    },
  },
  token: {
    deployment: { scheme: { type: 'token', header: 'X-Callback-Token' } },
    findings: { 'callback.signature': { scheme: { type: 'token', header: 'x-callback-token' } } },
  },
  'hex secrets': {
    deployment: { secretEncoding: 'hex' },
    findings: { 'callback.signature': { scheme: { type: 'standard' }, secretEncoding: 'hex' } },
  },
  'own paths': {
    deployment: { paths: { createApiKey: '/api-keys/generate', generateContent: '/v1/generate' } },
    findings: {
      'generate.path': { paths: { generateContent: '/v1/generate' } },
      'keys.create': { paths: { createApiKey: '/api-keys/generate' } },
    },
  },
  'own event names': {
    deployment: {
      eventNames: { usage_threshold: 'usage.threshold', invoice_paid: 'invoice.paid' },
    },
    findings: { 'registrations.event': { eventNames: { usage_threshold: 'usage.threshold' } } },
    byHand: { eventNames: { invoice_paid: 'invoice.paid' } },
  },
  'own idempotency header': {
    deployment: { idempotency: 'X-Request-Token', wrap: 'result' },
    findings: {
      'usage.get': { wrap: 'result' },
      'idempotency.replay': { idempotency: 'X-Request-Token' },
    },
  },
  'no idempotency': {
    deployment: { idempotency: false, fields: { nextCursor: 'next' } },
    findings: {
      'idempotency.replay': { idempotency: false },
      'list.cursor': { fields: { nextCursor: 'next' } },
    },
  },
  'own prompt': oneFinding('generate.prompt', { fields: { prompt: 'input.text' } }),
  'no list, no usage': {
    deployment: { absent: ['listGenerations', 'getUsage'] },
    findings: {
      'list.page': { absent: ['listGenerations'] },
      'usage.get': { absent: ['getUsage'] },
    },
  },
  'no cancel': oneFinding('cancel.processing', { absent: ['cancelGeneration'] }),
  'fields of a list': {
    deployment: { fields: { data: 'items', requestId: 'job_id' } },
    findings: {
      'generate.result': { fields: { requestId: 'job_id' } },
      'list.page': { fields: { data: 'items' } },
    },
  },
  'status under another name': {
    deployment: {
      fields: { status: 'state' },
      statuses: { processing: 'pending', completed: 'done' },
      wrap: 'data',
    },
    findings: {
      'usage.get': { wrap: 'data' },
      'generate.result': { fields: { status: 'state' }, statuses: { completed: 'done' } },
      'acknowledgement.status': { statuses: { processing: 'pending' } },
    },
  },
  'a token in another header': {
    deployment: { accessTokenHeader: 'X-Token', tokenHeader: 'X-Hook-Token' },
    findings: { 'credentials.single': 'differs' },
    byHand: { accessTokenHeader: 'X-Token', tokenHeader: 'X-Hook-Token' },
  },
};
