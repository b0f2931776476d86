import { misconfigured } from '../signing/errors.ts';
import { type Dedupe, LeaseLostError } from './dedupe/dedupe.ts';
import { memoryDedupe } from './dedupe/memory.ts';
import { isWebhookVerificationError, refuse } from './errors.ts';
import { schemaNames, type WebhookEvent } from './events.ts';
import type {
  DeliveryReport,
  RequestFacts,
  WebhookCallback,
  WebhookHandlerOptions,
} from './handler-options.ts';
import { createResults, type Results } from './results.ts';
import { checkSecrets, readSettings, type Settings } from './settings.ts';
import { verify } from './verify.ts';

/** A delivery as an adapter hands it over; `readBody` keeps the cap. */
export interface InboundDelivery extends RequestFacts {
  /** @throws WebhookVerificationError `body_too_large`, `body_already_parsed` or `body_not_json`. */
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

type Answer = Omit<DeliveryReport, 'durationMs'> & { readonly retryAfter?: number };

const refusedStatus: Partial<Record<string, number>> = {
  body_already_parsed: 500,
  body_too_large: 413,
  unsupported_encoding: 415,
};

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
  const callbacks = new Map<string, WebhookCallback<never>>();
  for (const [type, callback] of Object.entries(on)) {
    if (!Object.hasOwn(schemaNames, type)) misconfigured(`on.${type} is no event type`);
    if (callback) callbacks.set(type, callback as WebhookCallback<never>);
  }
  for (const callback of [...callbacks.values(), onOther])
    if (callback && typeof callback !== 'function') misconfigured('callbacks must be functions');
  return (type: string) =>
    callbacks.get(type) ?? (Object.hasOwn(schemaNames, type) ? undefined : onOther);
}

/** The state machine of a receiver. @throws WebhookConfigurationError when the options cannot work. */
export function createReceiver(options: WebhookHandlerOptions): Receiver {
  const { secret, dedupeKey, onDelivery } = options;
  const chosen = typeof secret === 'function';
  const settings = readSettings(options as Parameters<typeof readSettings>[0], chosen);
  const callbackOf = readCallbacks(options);
  const { dedupe = memoryDedupe({ now: settings.now }), logger = console } = options;
  const results = createResults();

  const settingsFor = async (facts: RequestFacts): Promise<Settings> => {
    if (!chosen) return settings;
    const found = await secret(facts);
    if (found === undefined) refuse('signature_mismatch', 'no secret for this request');
    return { ...settings, secrets: checkSecrets(found, settings.scheme) };
  };

  const handle = async (delivery: InboundDelivery): Promise<Answer> => {
    if (delivery.method !== 'POST') return { status: 405, outcome: 'method_not_allowed' };
    let event: WebhookEvent;
    let key: string;
    try {
      const own = await settingsFor(delivery);
      const body = await delivery.readBody(own.maxBodyBytes);
      event = await verify(own, delivery.headers, body);
      key = dedupeKey ? dedupeKey(event, delivery) : await defaultKey(own, event, body);
    } catch (error) {
      return refused(error);
    }
    const answer = await once(event, key);
    if (answer.outcome !== 'in_flight') results.settle(event);
    return { ...answer, event };
  };

  const refused = (error: unknown): Answer => {
    if (!isWebhookVerificationError(error)) {
      logger.error(`A webhook could not be verified: ${describe(error)}`);
      return { status: 500, outcome: 'misconfigured' };
    }
    if (error.code === 'body_already_parsed') logger.error(`${error.message} ${parsedAdvice}`);
    return { status: refusedStatus[error.code] ?? 400, outcome: 'refused', code: error.code };
  };

  const once = async (event: WebhookEvent, key: string): Promise<Answer> => {
    const attemptId = crypto.randomUUID();
    try {
      const claim = await dedupe.claim(key, attemptId);
      if (claim.state === 'done') return { status: 200, outcome: 'duplicate' };
      if (claim.state === 'in_flight') {
        // The other attempt renews its lease: it may be done long before that ends.
        const retryAfter = Math.max(1, Math.min(10, Math.ceil(claim.leftMs / 1000)));
        return { status: 503, outcome: 'in_flight', retryAfter };
      }
    } catch (error) {
      logger.error(`The dedupe store failed, so ${event.id} must come again: ${describe(error)}`);
      return { status: 503, outcome: 'store_failed', retryAfter: 5 };
    }
    const callback = callbackOf(event.type);
    const outcome = callback ? await run(callback, event, key, attemptId) : 'ignored';
    const failed = outcome === 'callback_failed' || outcome === 'lease_lost';
    try {
      await (failed ? dedupe.release(key, attemptId) : dedupe.complete(key, attemptId));
    } catch (error) {
      // The effect has happened: a refusal now would only repeat it.
      logger.error(`The dedupe store failed after ${event.id} was handled: ${describe(error)}`);
    }
    if (outcome === 'lease_lost') return { status: 503, outcome, retryAfter: 1 };
    return { status: failed ? 500 : 200, outcome };
  };

  const run = async (
    callback: WebhookCallback<never>,
    event: WebhookEvent,
    key: string,
    attemptId: string,
  ): Promise<DeliveryReport['outcome']> => {
    const lost = new AbortController();
    const stopRenewing = renewLease(dedupe, key, attemptId, lost);
    const commitWith = async (query: Parameters<NonNullable<Dedupe['commitWith']>>[0]) => {
      if (!dedupe.commitWith) misconfigured('commitWith needs postgresDedupe');
      // From here the row is locked by the caller's transaction: a renewal would wait for it.
      stopRenewing();
      await dedupe.commitWith(query, key, attemptId);
    };
    try {
      await callback(event as never, { signal: lost.signal, attemptId, commitWith });
      return 'processed';
    } catch (error) {
      if (codeOf(error) === 'webhook_lease_lost') return 'lease_lost';
      logger.error(`The callback of ${event.type} ${event.id} failed: ${describe(error)}`);
      return codeOf(error) === 'webhook_permanent' ? 'permanent_error' : 'callback_failed';
    } finally {
      stopRenewing();
    }
  };

  return {
    waitFor: results.waitFor,
    async receive(delivery) {
      const start = performance.now();
      const answer = await handle(delivery);
      try {
        onDelivery?.({ ...answer, durationMs: performance.now() - start });
      } catch {}
      return reply(answer);
    },
  };
}

const parsedAdvice =
  'A framework read the body before the webhook handler: mount the handler before express.json(), ' +
  'bodyParser or koa-bodyparser, use express.raw(), fastifyWebhooks, NestJS rawBody: true, or switch ' +
  'the body parser of that route off. The delivery was not acknowledged and will come again.';

/** Where the id is not signed, a replay could carry a fresh one: the body is what counts. */
async function defaultKey(
  { secrets, scheme }: Settings,
  event: WebhookEvent,
  body: Uint8Array,
): Promise<string> {
  if (!secrets.length || scheme.signsEnvelope) return event.id;
  const { sha256Hex } = await import('../signing/web-crypto.ts');
  return `sha256:${await sha256Hex(body)}`;
}

function renewLease(dedupe: Dedupe, key: string, attemptId: string, lost: AbortController) {
  const timer = setInterval(() => {
    dedupe.renew(key, attemptId).then(
      (held) => held || lost.abort(new LeaseLostError('The lease of this delivery was lost.')),
      () => {},
    );
  }, dedupe.leaseMs / 3);
  return () => clearInterval(timer);
}

/** Errors are told by their code: another entry, or copy of the package, may have made them. */
function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
