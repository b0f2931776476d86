import { misconfigured } from '../signing/errors.ts';
import { memoryDedupe } from './dedupe/memory.ts';
import type {
  DeliveryReport,
  RequestFacts,
  WebhookCallback,
  WebhookHandlerOptions,
} from './handler-options.ts';
import { isKnownType } from './known-events.ts';
import { type Answer, type LogFailure, once } from './process-once.ts';
import { isRefusal, refuse } from './refusal.ts';
import { refusedStatus } from './refused-status.ts';
import { createResults, type Results } from './results.ts';
import { checkSecrets, readSettings, type Settings, type VerificationOptions } from './settings.ts';
import { late, verify } from './verify.ts';

/** A delivery as an adapter hands it over; `readBody` keeps the cap. */
export interface InboundDelivery extends RequestFacts {
  /** Refuses with `body_too_large`, `body_already_parsed` or `body_not_json`. */
  readBody(maxBytes: number): Promise<Uint8Array>;
}

/** The answer to a delivery. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The receiver without a runtime: adapters turn their requests into deliveries. */
export interface Receiver extends Pick<Results, 'waitFor'> {
  receive(delivery: InboundDelivery): Promise<Reply>;
}

function reply({ status, outcome, code, retryAfter }: Answer): Reply {
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

function readCallbacks({ on = {}, onOther }: WebhookHandlerOptions) {
  const callbacks = new Map<string, unknown>(Object.entries(on));
  for (const [type, callback] of callbacks)
    if (!isKnownType(type) || typeof callback !== 'function')
      misconfigured(`on.${type} must be an event type and a function`);
  if (onOther && typeof onOther !== 'function') misconfigured('onOther must be a function');
  return (type: string) =>
    (isKnownType(type) ? callbacks.get(type) : onOther) as WebhookCallback<never> | undefined;
}

/** The receiver of no runtime in particular. @throws WebhookConfigurationError when the options cannot work. */
export function createReceiver(options: WebhookHandlerOptions): Receiver {
  const { secret, dedupeKey, onDelivery, logger = console } = options;
  const chosen = typeof secret === 'function';
  const settings = readSettings(options as VerificationOptions, chosen);
  const callbackOf = readCallbacks(options);
  const { dedupe = memoryDedupe({ now: settings.now }) } = options;
  if (!dedupe?.claim) misconfigured('dedupe must be a store, such as memoryDedupe()');
  const results = createResults();
  // Neither a logger nor a metric may decide about a delivery.
  const tell = (message: string) => {
    try {
      logger.error(message);
    } catch {}
  };
  const log: LogFailure = (what, thrown) =>
    tell(`${what}: ${thrown instanceof Error ? thrown.stack : thrown}`);
  const report = async (delivery: DeliveryReport) => onDelivery?.(delivery);

  const settingsFor = async (facts: RequestFacts): Promise<Settings> => {
    if (!chosen) return settings;
    const found = (await secret(facts)) ?? refuse('signature_mismatch', 'no secret');
    return { ...settings, secrets: checkSecrets(found, settings.scheme) };
  };

  const handle = async (delivery: InboundDelivery): Promise<Answer> => {
    if (delivery.method !== 'POST') return { status: 405, outcome: 'method_not_allowed' };
    try {
      const own = await settingsFor(delivery);
      const body = await delivery.readBody(own.maxBodyBytes);
      const event = await verify(own, delivery.headers, body);
      if (isRefusal(event)) {
        await (await late()).explain(own, event);
        return await refused(event);
      }
      const key = dedupeKey?.(event, delivery) ?? (await keyOf(own, event.id, body));
      const answer = await once(dedupe, key, event, callbackOf(event.type), log);
      if (answer.outcome !== 'in_flight') results.settle(event);
      return { ...answer, event };
    } catch (thrown) {
      return refused(thrown);
    }
  };

  const refused = async (thrown: unknown): Promise<Answer> => {
    if (!isRefusal(thrown)) {
      log('A webhook could not be verified', thrown);
      return { status: 500, outcome: 'misconfigured' };
    }
    const { code } = thrown;
    if (code === 'body_already_parsed') tell((await import('./diagnose.ts')).parsedAdvice);
    return { status: refusedStatus(code), outcome: 'refused', code };
  };

  return {
    waitFor: results.waitFor,
    async receive(delivery) {
      const start = performance.now();
      const answer = await handle(delivery);
      report({ ...answer, durationMs: performance.now() - start }).catch(() => {});
      return reply(answer);
    },
  };
}

/** Where the id is not signed, a replay could carry a fresh one: the body is what counts. */
async function keyOf({ secrets, scheme }: Settings, id: string, body: Uint8Array): Promise<string> {
  if (!secrets.length || scheme.signsEnvelope) return id;
  return (await import('../signing/web-crypto.ts')).sha256Hex(body);
}
