import { callback, type OptionRules } from '../options/rules.ts';
import { elapsed } from '../platform/driver.ts';
import { assertOptions, kindOf, misconfigured } from '../signing/errors.ts';
import { sha256Hex } from '../signing/hmac.ts';
import { createResults, type Results } from './arrived-results.ts';
import { callbackRules } from './callbacks.ts';
import {
  readSecrets,
  readSettings,
  type Settings,
  type VerificationOptions,
  verificationRules,
} from './defaults.ts';
import { isWebhookVerificationError, rawBodyAdvice, reject, rejectionStatus } from './errors.ts';
import type { WebhookEvent } from './events.ts';
import type { DeliveryReport, RequestFacts, WebhookHandlerOptions } from './handler-options.ts';
import { createLogFailure, logError } from './log.ts';
import { adviseAdapter, isRequest } from './not-a-request.ts';
import { createEqualBodiesNote, createRejectionNote } from './notes.ts';
import { createCallbackRunner, type DeliveryResult } from './process-once.ts';
import { createHandOver } from './queue/enqueue.ts';
import { defaultStoreTimeoutMs, storeTimeOf } from './store-deadline.ts';
import { readBody, readEnvelope, verifyBody } from './verify.ts';

/** A delivery as an adapter hands it over. */
export interface InboundDelivery extends RequestFacts {
  /** Reads at most `maxBytes`. Rejects with `body_too_large`, `body_already_parsed` or `body_not_json`. */
  readBody(maxBytes: number): Promise<Uint8Array>;
}

/** The response to a delivery. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number;
  /** The headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. */
  readonly body: string;
}

/** A webhook receiver without a runtime: adapters turn their requests into deliveries. */
export interface Receiver extends Pick<Results, 'waitFor'> {
  /** Verifies and handles a delivery. Never rejects. */
  receive(delivery: InboundDelivery): Promise<Reply>;
}

const rules: OptionRules<WebhookHandlerOptions> = {
  ...verificationRules,
  ...callbackRules,
  dedupeKey: callback,
  enqueue: callback,
  onDelivery: callback,
};
/**
 * Other names for the options. Callbacks under such a name would never be called, although every event is acknowledged.
 */
const aliases = {
  handlers: 'on',
  handler: 'on',
  callbacks: 'on',
  events: 'on',
  onevent: 'on',
  signingsecret: 'secret',
  webhooksecret: 'secret',
  store: 'dedupe',
  queue: 'enqueue',
};

function createReceiver(options: WebhookHandlerOptions): Receiver {
  assertOptions(options, rules, aliases);
  const settingsFor = readSettingsPerDelivery(options);
  const logFailure = createLogFailure(options);
  const handOver = createHandOver(options, logFailure);
  const runner = createCallbackRunner(options);
  const { dedupeKey } = options;
  const results = createResults();
  const noteRejection = createRejectionNote(options);
  const warnOfEqualBodies = createEqualBodiesNote(options);

  const handleVerified = async (event: WebhookEvent, key: string, body: Uint8Array) => {
    const time = storeTimeOf(options.storeTimeoutMs ?? defaultStoreTimeoutMs);
    const result = await (handOver
      ? handOver(event, key, textOf(event, body), time)
      : runner.run(event, key, {}, time));
    // It is sent again.
    const isOpen = /^(in_flight|store_failed|enqueue_failed)$/.test(result.outcome);
    if (!isOpen) results.add(event, body.length);
    return { ...result, event };
  };

  // A processor knows no deployment: its messages are in the contract's names.
  const textOf = ({ payload }: WebhookEvent, body: Uint8Array) =>
    options.deployment ? JSON.stringify(payload) : new TextDecoder().decode(body);

  const verifyAndHandle = async (delivery: InboundDelivery): Promise<DeliveryResult> => {
    if (delivery.method !== 'POST') return { status: 405, outcome: 'method_not_allowed' };
    try {
      if (!URL.canParse(delivery.url, 'http://localhost')) reject('malformed_header', 'host');
      const settings = await settingsFor(delivery);
      const envelope = readEnvelope(settings, delivery.headers);
      const body = await delivery.readBody(settings.maxBodyBytes);
      const event = await verifyBody(settings, envelope, body);
      const key = dedupeKey
        ? checkKey(dedupeKey(event, delivery))
        : await defaultKey(settings, event.id, body);
      if (!dedupeKey && key !== event.id) warnOfEqualBodies(key, event.id);
      return await handleVerified(event, key, body);
    } catch (error) {
      return toResult(error);
    }
  };

  const toResult = (error: unknown): DeliveryResult => {
    if (!isWebhookVerificationError(error)) {
      logFailure('Failed to verify a webhook', error);
      return { status: 500, outcome: 'misconfigured' };
    }
    const { code, hint } = error;
    noteRejection(code, code === 'body_already_parsed' ? rawBodyAdvice : hint);
    return { status: rejectionStatus(code), outcome: 'rejected', code };
  };

  return {
    waitFor: (requestId, waitOptions) => results.waitFor(requestId, waitOptions),
    async receive(delivery) {
      const start = elapsed();
      const result = await verifyAndHandle(delivery);
      void report(options, { ...result, durationMs: elapsed() - start });
      return toReply(result);
    },
  };
}

function readSettingsPerDelivery(
  options: WebhookHandlerOptions,
): (facts: RequestFacts) => Settings | Promise<Settings> {
  const { secret } = options;
  const isFunction = typeof secret === 'function';
  const settings = readSettings(options as VerificationOptions, isFunction);
  if (!isFunction) return () => settings;
  return async (facts) => {
    const chosen = await secret(facts);
    if (chosen === null) reject('signature_mismatch', 'no secret');
    return { ...settings, secrets: readSecrets(chosen, settings.scheme, options.logger) };
  };
}

async function report({ onDelivery }: WebhookHandlerOptions, delivery: DeliveryReport) {
  try {
    await onDelivery?.(delivery);
  } catch {}
}

/** An empty key, or a promise as a key, would make every delivery a duplicate of the first. */
function checkKey(key: unknown): string {
  if (typeof key === 'string' && key !== '') return key;
  return misconfigured(`dedupeKey returned ${kindOf(key)}`, 'Return a non-empty string.');
}

/** The id, if it is signed. If not, a replay could carry a new id, so the body decides. */
async function defaultKey(
  { secrets, scheme }: Settings,
  id: string,
  body: Uint8Array,
): Promise<string> {
  return secrets.length === 0 || scheme.signsEnvelope ? id : await sha256Hex(body);
}

function toReply({ status, outcome, code, retryAfter }: DeliveryResult): Reply {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...(retryAfter && { 'retry-after': `${retryAfter}` }),
      ...(status === 405 && { allow: 'POST' }),
    },
    body: JSON.stringify(status < 300 ? { status: outcome } : { code: code ?? outcome }),
  };
}

/**
 * A receiver as a fetch handler. `waitFor` settles when the result of a generation arrives here, so
 * `job.wait({ results: handler })` need not poll. `receive` is for adapters of other runtimes.
 */
export interface WebhookHandler extends Receiver {
  (request: Request): Promise<Response>;
}

/**
 * Creates the receiver of webhooks and result callbacks: it verifies a delivery, handles it once and responds. Pass it
 * the request before anything reads the body.
 *
 * @throws WebhookConfigurationError when the options cannot work.
 * @example
 * export const POST = createWebhookHandler({
 *   secret: process.env.CONTENTGEN_WEBHOOK_SECRET!,
 *   on: { generation_completed: (event) => save(event.payload.requestId, event.payload.result) },
 * });
 */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  const receiver = createReceiver(options);
  const handler = async (request: Request, ...others: unknown[]): Promise<Response> => {
    if (!isRequest(request)) {
      logError(options, adviseAdapter(request, others[0]));
      return new Response('{"code":"misconfigured"}', { status: 500 });
    }
    const { method, url, headers } = request;
    const reply = await receiver.receive({
      method,
      url,
      headers,
      readBody: (maxBytes) => readBody(request, maxBytes),
    });
    return new Response(reply.body, reply);
  };
  return Object.assign(handler, receiver);
}
