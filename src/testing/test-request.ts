import { deploymentRule } from '../deployment-port.ts';
import { callback, checkedLater, numberFrom, type OptionRules } from '../options/rules.ts';
import { defined } from '../options/values.ts';
import { assertOptions } from '../signing/errors.ts';
import { schemeRule } from '../webhooks/defaults.ts';
import type { WebhookEvent } from '../webhooks/events.ts';
import { type SignWebhookOptions, signWebhook } from '../webhooks/sign.ts';

/** How a test delivery is signed, and where it is sent. */
export interface TestRequestOptions
  extends Pick<SignWebhookOptions, 'secret' | 'token' | 'scheme' | 'deployment' | 'now'> {
  /** The URL that the request is addressed to. @default 'https://receiver.test/webhooks' */
  readonly url?: string | URL;
  /** Seconds by which the signed time differs from now; negative for the past. @default 0 */
  readonly skewSeconds?: number;
  /** Set after signing; they replace signed headers of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const testRequestRules: OptionRules<TestRequestOptions> = {
  secret: checkedLater,
  token: checkedLater,
  scheme: schemeRule,
  deployment: deploymentRule,
  now: callback,
  url: checkedLater,
  skewSeconds: numberFrom('a number of seconds', -Number.MAX_VALUE, Number.MAX_VALUE),
  headers: checkedLater,
};

/** What can be sent: an event, a payload as an object, or the body as text. */
export type TestPayload = Pick<WebhookEvent, 'id' | 'payload'> | object | string;

/** @internal A delivery before it becomes a `Request`, so that it can be changed and sent more than once. */
export interface SignedDelivery {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

export function toMessage(
  event: TestPayload,
  { deployment }: Pick<TestRequestOptions, 'deployment'>,
): { id: string; body: string } {
  const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`;
  if (typeof event === 'string') return { id, body: event };
  const isEvent = 'payload' in event && 'id' in event && typeof event.id === 'string';
  const payload = isEvent ? (event.payload as object) : event;
  const sent = deployment ? deployment.toTheirs.payload(payload) : payload;
  return { id: isEvent ? (event.id as string) : id, body: JSON.stringify(sent) };
}

export async function signDelivery(
  { id, body }: { id: string; body: string | Uint8Array },
  options: TestRequestOptions,
): Promise<SignedDelivery> {
  const { now = Date.now, skewSeconds = 0, url = 'https://receiver.test/webhooks' } = options;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const timestamp = Math.floor(now() / 1000) + skewSeconds;
  const { secret, token, scheme, deployment } = options;
  const signed = await signWebhook(
    defined({ id, timestamp, body: bytes, secret, token, scheme, deployment }),
  );
  const headers = { 'content-type': 'application/json', ...signed, ...options.headers };
  return { url: String(url), method: 'POST', headers, body: bytes };
}

export function toRequest(delivery: SignedDelivery, signal?: AbortSignal): Request {
  const { url, method, headers, body } = delivery;
  return new Request(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    ...(signal && { signal }),
  });
}

/**
 * Creates a signed `Request`, as a receiver gets it.
 *
 * @throws WebhookConfigurationError when the secret or another option cannot be used to sign.
 * @example
 * const response = await POST(await createTestRequest(sampleEvent('invoice_paid'), { secret }));
 */
export async function createTestRequest(
  event: TestPayload,
  options: TestRequestOptions,
): Promise<Request> {
  assertOptions(options, testRequestRules);
  return toRequest(await signDelivery(toMessage(event, options), options));
}
