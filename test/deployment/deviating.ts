import type { DeploymentJson } from '../../src/index.ts';

export interface Deviation {
  /** What the server does differently. */
  readonly deployment: DeploymentJson;
  /** What conform finds of it, if that is not all, word for word. */
  readonly found?: DeploymentJson;
  /** What no request gives away, so that it is written into the file by hand. */
  readonly byHand?: DeploymentJson;
}

const sha512 = { type: 'hmac', algorithm: 'sha512', format: 'sha512={signature}' };
const base64 = { type: 'hmac', encoding: 'base64' };

/** Servers that differ from ours in one to four fields, each in a way that no dialect does. */
export const deviating: Readonly<Record<string, Deviation>> = {
  'key like another field': { deployment: { fields: { key: 'secret', secret: 'key' } } },
  // Rows of deliveries have both names.
  'request id is id': {
    deployment: { fields: { requestId: 'id' } },
    found: { fields: { requestId: 'id', 'Delivery.requestId': 'requestId' } },
  },
  'their words': {
    deployment: { statuses: { completed: 'succeeded', failed: 'errored', processing: 'queued' } },
    found: { statuses: { completed: 'succeeded', processing: 'queued' } },
    byHand: { statuses: { failed: 'errored' } },
  },
  // What is not signed shows in nothing.
  'plain base64': {
    deployment: {
      scheme: { ...base64, idHeader: 'webhook-id', timestampHeader: 'webhook-timestamp' },
      secretEncoding: 'base64',
    },
    found: { scheme: base64, secretEncoding: 'base64' },
  },
  'prefixed sha512, without envelope': {
    deployment: { scheme: { ...sha512, header: 'X-Hub' }, secretEncoding: 'hex' },
    found: { scheme: { ...sha512, header: 'x-hub' }, secretEncoding: 'hex' },
  },
  token: {
    deployment: { scheme: { type: 'token', header: 'X-Callback-Token' } },
    found: { scheme: { type: 'token', header: 'x-callback-token' } },
  },
  'own event names': {
    deployment: {
      eventNames: { usage_threshold: 'usage.threshold', invoice_paid: 'invoice.paid' },
    },
    found: { eventNames: { usage_threshold: 'usage.threshold' } },
    byHand: { eventNames: { invoice_paid: 'invoice.paid' } },
  },
  'own idempotency header': {
    deployment: { idempotency: 'X-Request-Token', wrap: 'result' },
    found: { idempotency: false, wrap: 'result' },
  },
  'a token in another header': {
    deployment: { accessTokenHeader: 'X-Token', tokenHeader: 'X-Hook-Token' },
    found: {},
    byHand: { accessTokenHeader: 'X-Token', tokenHeader: 'X-Hook-Token' },
  },
};
