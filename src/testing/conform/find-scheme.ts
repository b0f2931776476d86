import { defineDeployment } from '../../deployment/define-deployment.ts';
import type { DeploymentJson, SchemeData } from '../../deployment-port.ts';
import { verifyWebhook } from '../../webhooks/verify.ts';

/** A header whose value looks like a digest. */
const digest = /^([!-~]*?)([0-9a-f]{128}|[0-9a-f]{64}|[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/]{43}=)$/;
const encodings = ['whsec', 'utf8', 'hex', 'base64'] as const;

type Headers = readonly (readonly [name: string, value: string])[];

export const headerOf = (headers: Headers, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

export const looksSigned = (headers: Headers) =>
  headers.some(([name, value]) => /signature|token|hmac/i.test(name) || digest.test(value));

interface Delivery {
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly secret: string;
}

/** How a delivery was signed with the secret; `undefined` if no scheme of a deployment file explains it. */
export async function findScheme(delivery: Delivery): Promise<DeploymentJson | undefined> {
  const { headers, secret } = delivery;
  const envelope = ['webhook-id', 'webhook-timestamp'];
  const sent = envelope.every((name) => headerOf(headers, name) !== undefined)
    ? { idHeader: 'webhook-id', timestampHeader: 'webhook-timestamp' }
    : {};
  const schemes = headers.flatMap(([header, value]) => {
    if (value === secret) return [{ type: 'token', header }];
    const [, prefix = '', text = ''] = digest.exec(value) ?? [];
    if (text === '') return [];
    const encoding = /^[0-9a-f]+$/.test(text) ? 'hex' : 'base64';
    const algorithm = text.length > 64 ? 'sha512' : 'sha256';
    const format = `${prefix}{signature}`;
    return [{ type: 'hmac', algorithm, encoding, format, header, ...sent }];
  });
  for (const scheme of [{ type: 'standard' }, ...schemes]) {
    for (const secretEncoding of encodings) {
      const lines: DeploymentJson = { scheme, secretEncoding };
      if (await verifies(delivery, lines)) return lines;
    }
  }
  return undefined;
}

/**
 * When a delivery says that it was sent, Unix seconds: `NaN` if that is not a time, `undefined` if it does not say it, and
 * `null` if its scheme has no time.
 */
export function sentAt(
  headers: Headers,
  { scheme }: DeploymentJson = {},
): number | null | undefined {
  const text = headerOf(headers, 'webhook-timestamp');
  const { type = 'standard', timestampHeader } = Object(scheme) as Partial<SchemeData>;
  if (text === undefined) return type === 'standard' || timestampHeader ? undefined : null;
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}

async function verifies(delivery: Delivery, lines: DeploymentJson): Promise<boolean> {
  const logger = { warn() {}, error() {}, diagnose: false };
  try {
    // A saved delivery is always old.
    const time = sentAt(delivery.headers);
    await verifyWebhook({
      ...delivery,
      deployment: defineDeployment(lines),
      logger,
      allowUntimed: true,
      ...(time && { now: () => time * 1000 }),
    });
    return true;
  } catch {
    return false;
  }
}
