import { defineDeployment, type SchemeData } from '../../src/deployment/index.ts';
import type { Scheme } from '../../src/signing/standard-scheme.ts';

interface BodyHmac extends Partial<SchemeData> {
  /** Text before the digest. */
  readonly prefix?: string;
  /** Whether deliveries carry `webhook-id` and `webhook-timestamp`, which are not signed. */
  readonly envelopeHeaders?: boolean;
}

/** An HMAC of only the body, as the deployment file of a service describes it. */
export const bodyHmac = (given?: BodyHmac): Scheme => bodyDeployment(given).scheme;

/** A service that signs only the body. */
export function bodyDeployment({ prefix = '', envelopeHeaders = true, ...data }: BodyHmac = {}) {
  const envelope = { idHeader: 'webhook-id', timestampHeader: 'webhook-timestamp' };
  const format = `${prefix}{signature}`;
  const scheme = { type: 'hmac', format, ...(envelopeHeaders && envelope), ...data };
  return defineDeployment({ scheme });
}
