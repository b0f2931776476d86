import { elapsed, now } from '../platform/driver.ts';
import { assertKnownOptions, assertNumber, kindOf, misconfigured } from '../signing/errors.ts';
import { sha256Hex } from '../signing/hmac.ts';
import { memoryDedupe } from './dedupe/memory.ts';
import { isWebhookVerificationError, reject, rejectionStatus } from './errors.ts';
import { isKnownType } from './events.ts';
import type {
  DeliveryReport,
  RequestFacts,
  WebhookCallback,
  WebhookHandlerOptions,
  WebhookMiddleware,
} from './handler-options.ts';
import type { LogFailure } from './process-once.ts';
import { type DeliveryResult, processOnce } from './process-once.ts';
import { rawBodyAdvice } from './read-delivery.ts';
import { createResults, type Results } from './results.ts';
import {
  readSecrets,
  readSettings,
  type Settings,
  type VerificationOptions,
  verificationOptionNames,
} from './settings.ts';
import { readEnvelope, verifyBody } from './verify.ts';

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

const optionNames: Record<keyof WebhookHandlerOptions, true> = {
  ...verificationOptionNames,
  on: true,
  onOther: true,
  dedupe: true,
  storeTimeoutMs: true,
  dedupeKey: true,
  middleware: true,
  onDelivery: true,
};
/** Callbacks under another name would never be called, and every event acknowledged. */
const aliases = {
  handlers: 'on',
  handler: 'on',
  callbacks: 'on',
  events: 'on',
  onevent: 'on',
  signingsecret: 'secret',
  webhooksecret: 'secret',
  store: 'dedupe',
};

/** A receiver for any runtime. @throws WebhookConfigurationError when the options cannot work. */
export function createReceiver(options: WebhookHandlerOptions): Receiver {
  assertKnownOptions(options, optionNames, aliases);
  const settingsFor = readSettingsPerDelivery(options);
  const callbackFor = readCallbacks(options);
  const wrapped = wrapCallbacks(options.middleware);
  const { dedupeKey, dedupe = memoryDedupe({ now: options.now ?? now }) } = options;
  if (!dedupe?.claim)
    misconfigured(`dedupe is ${kindOf(dedupe)}, not a store`, 'Pass a store: memoryDedupe().');
  const { storeTimeoutMs = 4000 } = options;
  assertNumber('storeTimeoutMs', storeTimeoutMs, 10, 'milliseconds');
  const results = createResults();
  const log = createLog(options);
  const logFailure: LogFailure = (message, error) =>
    log(`${message}: ${error instanceof Error ? error.stack : error}`);

  const handle = async (delivery: InboundDelivery): Promise<DeliveryResult> => {
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
      const callback = wrapped(callbackFor(event.type));
      const work = { dedupe, storeTimeoutMs, key, event, callback, log: logFailure };
      const result = await processOnce(work);
      if (result.outcome !== 'in_flight') results.add(event);
      return { ...result, event };
    } catch (error) {
      return toResult(error);
    }
  };

  const toResult = (error: unknown): DeliveryResult => {
    if (!isWebhookVerificationError(error)) {
      logFailure('Failed to verify a webhook', error);
      return { status: 500, outcome: 'misconfigured' };
    }
    const { code } = error;
    if (code === 'body_already_parsed') log(rawBodyAdvice);
    return { status: rejectionStatus(code), outcome: 'rejected', code };
  };

  return {
    waitFor: results.waitFor,
    async receive(delivery) {
      const start = elapsed();
      const result = await handle(delivery);
      void report(options, { ...result, durationMs: elapsed() - start });
      return toReply(result);
    },
  };
}

/** Settings of a delivery: fixed, or with the secret that `secret` chooses for it. */
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
    if (chosen === undefined)
      misconfigured(
        'the secret function returned undefined',
        'Set the environment variable that it reads, for instance CONTENTGEN_WEBHOOK_SECRET. ' +
          'To reject an unknown sender, return null.',
      );
    return { ...settings, secrets: readSecrets(chosen, settings.scheme) };
  };
}

function readCallbacks({ on = {}, onOther }: WebhookHandlerOptions) {
  const callbacks = new Map<string, unknown>(Object.entries(on));
  for (const [type, callback] of callbacks) {
    if (!isKnownType(type))
      misconfigured(
        `on.${type} is not an event type`,
        'Check the spelling; types of later versions go to onOther.',
      );
    if (typeof callback !== 'function')
      misconfigured(`on.${type} is ${kindOf(callback)}`, 'Pass a function.');
  }
  if (onOther && typeof onOther !== 'function')
    misconfigured(`onOther is ${kindOf(onOther)}`, 'Pass a function.');
  return (type: string) =>
    (isKnownType(type) ? callbacks.get(type) : onOther) as WebhookCallback<never> | undefined;
}

/** Logs an error. Never throws: a broken logger must not decide what happens to a delivery. */
function createLog({ logger = console }: WebhookHandlerOptions) {
  return (message: string) => {
    try {
      logger.error(message);
    } catch {}
  };
}

/** Calls `onDelivery`. Whatever it throws, at once or later, is ignored. */
async function report({ onDelivery }: WebhookHandlerOptions, delivery: DeliveryReport) {
  try {
    await onDelivery?.(delivery);
  } catch {}
}

/** An empty key, or a promise as a key, would make every delivery a duplicate of the first. */
function checkKey(key: unknown): string {
  if (typeof key === 'string' && key !== '') return key;
  return misconfigured(
    `dedupeKey returned ${kindOf(key)}`,
    'Return a non-empty string; a promise cannot be used.',
  );
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

/** Wraps callbacks in the middleware. @throws WebhookConfigurationError unless it is a list of functions */
function wrapCallbacks(
  middleware: readonly WebhookMiddleware[] = [],
): (callback: WebhookCallback<never> | undefined) => WebhookCallback<never> | undefined {
  if (!Array.isArray(middleware))
    misconfigured(`middleware is ${kindOf(middleware)}`, 'Pass a list of functions.');
  for (const [index, layer] of middleware.entries()) {
    if (typeof layer !== 'function')
      misconfigured(`middleware ${index + 1} is ${kindOf(layer)}`, 'Pass a function.');
  }
  return (callback) => callback && middleware.reduceRight(wrap, callback);
}

const wrap = (
  callback: WebhookCallback<never>,
  layer: WebhookMiddleware,
): WebhookCallback<never> => {
  return (event, context) =>
    layer(
      event,
      async () => {
        await callback(event, context);
      },
      context,
    );
};
