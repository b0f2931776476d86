import { verifyWebhook } from '../../../src/webhooks/index.ts';
import { PROBE_ID } from '../../control/logs/filter.ts';
import type { Deployment } from '../../domain/deployment.ts';
import { isObject } from '../../domain/known-options.ts';

const PROBE_MS = 5000;
const ABSENT = [404, 405, 501];

/** Operations that can be asked for without an effect, and those that no service has without them. */
const probes: readonly (readonly [path: string, operations: readonly string[]])[] = [
  ['/api/usage', ['getUsage']],
  ['/api/ai/content/generate', ['listGenerations', 'getGeneration', 'cancelGeneration']],
  ['/api/auth/api-keys', ['listApiKeys', 'getApiKey', 'revokeApiKey', 'regenerateApiKey']],
  [
    '/api/webhooks',
    [
      ...['listWebhooks', 'getWebhook', 'deleteWebhook', 'updateWebhook', 'rotateWebhookSecret'],
      ...['testWebhook', 'listDeliveries', 'redeliverFailed'],
    ],
  ],
  ['/api/webhooks/deliveries', ['listCallbackDeliveries', 'redeliver']],
  ['/api/webhooks/signing-secret', ['getSigningSecret', 'rotateSigningSecret']],
];

/** What the responses to an accepted key say about the deployment: its wrapper, and the operations that it lacks. */
export async function findInResponses(url: string, apiKey: string): Promise<Deployment> {
  const responses = await Promise.all(
    probes.map(async ([path, operations]) => ({ operations, ...(await get(url + path, apiKey)) })),
  );
  const absent = responses.flatMap(({ status, operations }) =>
    ABSENT.includes(status) ? operations : [],
  );
  const [usage] = responses;
  const [[name = '', inner] = []] = Object.entries(Object(usage?.body));
  const isWrapped = isObject(inner) && Object.keys(Object(usage?.body)).length === 1;
  return { ...(isWrapped && { wrap: name }), ...(absent.length > 0 && { absent }) };
}

async function get(
  url: string,
  apiKey: string,
): Promise<{ readonly status: number; readonly body?: unknown }> {
  try {
    const headers = {
      'x-api-key': apiKey,
      'x-request-id': PROBE_ID,
      accept: 'application/json',
    };
    const signal = AbortSignal.timeout(PROBE_MS);
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    const text = await response.text();
    const isJson = response.ok && /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, ...(isJson && { body: JSON.parse(text) }) };
  } catch {
    return { status: 0 };
  }
}

const digest = /^([!-~]*?)([0-9a-f]{128}|[0-9a-f]{64}|[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/]{43}=)$/;
const encodings = ['utf8', 'whsec', 'hex', 'base64'] as const;

/** How a saved delivery was signed with the secret; `undefined` if no scheme that we know explains it. */
export async function findScheme(
  headers: readonly (readonly [name: string, value: string])[],
  body: Uint8Array,
  secret: string,
): Promise<Deployment | undefined> {
  const names = headers.map(([name]) => name.toLowerCase());
  const envelopeHeaders = names.includes('webhook-id') && names.includes('webhook-timestamp');
  const schemes = headers.flatMap(([header, value]) => {
    if (value === secret) return [{ type: 'token', header }];
    const [, prefix = '', text = ''] = digest.exec(value) ?? [];
    if (text === '') return [];
    const encoding = /^[0-9a-f]+$/.test(text) ? 'hex' : 'base64';
    const algorithm = text.length > 64 ? 'sha512' : 'sha256';
    return [{ type: 'plain-hmac', algorithm, encoding, prefix, header, envelopeHeaders }];
  });
  for (const scheme of [{ type: 'standard' }, ...schemes]) {
    for (const secretEncoding of encodings) {
      const deployment: Deployment = { scheme, secretEncoding };
      if (await verifies({ headers, body, secret, deployment })) return deployment;
    }
  }
  return undefined;
}

async function verifies(
  delivery: Pick<Parameters<typeof verifyWebhook>[0], 'secret' | 'deployment'> & {
    readonly headers: readonly (readonly [string, string])[];
    readonly body: Uint8Array;
  },
): Promise<boolean> {
  const logger = { warn() {}, error() {} };
  try {
    // A saved delivery is always old.
    await verifyWebhook({
      ...delivery,
      ...{ logger, diagnose: false, allowUntimed: true, tolerance: Number.MAX_SAFE_INTEGER },
    });
    return true;
  } catch {
    return false;
  }
}
