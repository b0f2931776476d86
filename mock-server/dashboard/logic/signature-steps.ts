import { signWebhook, verifyWebhook } from '../../../src/webhooks/index.ts';
import { toleranceS } from './delivery.ts';
import { bytes } from './format.ts';

export interface Step {
  readonly title: string;
  readonly ok: boolean;
  readonly value: string;
  /** The part of `value` to highlight. */
  readonly mark?: string;
  readonly note?: string;
}

export interface SignatureInput {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string;
  /** When the attempt was made, ms. */
  readonly at: number;
}

/** Verifies a delivery like a receiver, and returns each step up to the one that makes the next impossible. */
export async function signatureSteps(input: SignatureInput): Promise<readonly Step[]> {
  const { body, secret, at } = input;
  const headers = new Headers({ ...input.headers });
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const signature = headers.get('x-service-signature') ?? '';
  const steps: Step[] = [];

  const present = id !== '' && timestamp !== '' && signature !== '';
  steps.push({
    title: 'Read the headers',
    ok: present,
    value: `webhook-id: ${id}\nwebhook-timestamp: ${timestamp}\nX-Service-Signature: ${signature}`,
    ...(!present && {
      note: 'A header is missing: this delivery does not use the standard signature scheme.',
    }),
  });
  if (!present) return steps;

  const age = Math.abs(Math.floor(at / 1000) - Number(timestamp));
  steps.push({
    title: `Check that the timestamp is within ${toleranceS} s`,
    ok: age <= toleranceS,
    value: `${timestamp} differed by ${age} s from the time of the attempt`,
    ...(age > toleranceS && {
      note: 'A receiver rejects this with timestamp_too_old or timestamp_in_future.',
    }),
  });

  steps.push({
    title: 'Join id, timestamp and raw body',
    ok: true,
    value: `${id}.${timestamp}.${body}`,
    mark: `${id}.${timestamp}.`,
    note: `${bytes(body)} bytes of body, exactly as received: parsing and serializing it again would change them.`,
  });

  const key = keyBytes(secret);
  steps.push({
    title: 'Decode the key',
    ok: key !== undefined,
    value: key === undefined ? 'no key' : `${key} bytes: the decoded base64 after whsec_`,
    ...(key === undefined && { note: 'A secret is whsec_ followed by 24 to 64 bytes in base64.' }),
  });
  if (key === undefined) return steps;

  const signed = await signWebhook({ id, timestamp: Number(timestamp), body, secret });
  const expected = new Headers(signed).get('x-service-signature') ?? '';
  steps.push({ title: 'Compute the HMAC-SHA256 as base64', ok: true, value: expected });

  const found = signature.split(' ').includes(expected);
  steps.push({
    title: 'Compare with each signature in the header',
    ok: found,
    value: signature,
    ...(found && { mark: expected }),
    ...(!found && {
      note: 'None matches: the delivery was signed with another secret, or the body was changed.',
    }),
  });
  steps.push(await verdict(input));
  return steps;
}

async function verdict({ headers, body, secret, at }: SignatureInput): Promise<Step> {
  const title = 'Result of verifyWebhook()';
  try {
    const event = await verifyWebhook({
      headers,
      body,
      secret,
      now: () => at,
      logger: { ...console, diagnose: false },
    });
    return { title, ok: true, value: `${event.type}, ${event.id}` };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { title, ok: false, value: code ?? message };
  }
}

function keyBytes(secret: string): number | undefined {
  if (!secret.startsWith('whsec_')) return undefined;
  try {
    const { length } = atob(secret.slice('whsec_'.length));
    return length >= 24 && length <= 64 ? length : undefined;
  } catch {
    return undefined;
  }
}
