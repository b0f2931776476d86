import {
  callback,
  flag,
  integerFrom,
  milliseconds,
  millisecondsOrNone,
  type OptionRules,
} from '../../options/rules.ts';
import { now as platformNow, setTimer } from '../../platform/driver.ts';
import { assertOptions } from '../../signing/errors.ts';
import { standardScheme } from '../../signing/standard-scheme.ts';
import { defaultMaxBodyBytes, readSecrets, withDeployment } from '../../webhooks/defaults.ts';
import { envelopeFieldsOf } from '../envelope.ts';
import { codeIn, rejectionAdvice } from '../rejection-advice.ts';
import { sampleEvent } from '../sample-event.ts';
import { assertTarget, send, type Target, type TargetResponse } from '../send.ts';
import {
  signDelivery,
  type TestRequestOptions,
  testRequestRules,
  toMessage,
} from '../test-request.ts';
import { drafting, plainStandard, type Signer } from '../vectors/drafting.ts';
import { type Need, needs } from '../vectors/flags.ts';
import { type AuditCase, type AuditTools, isAccepted, isBusy, type Message } from './audit-case.ts';
import { type AuditReport, type AuditResult, createReport } from './audit-report.ts';
import { copies, forgeriesTakeNoEffect, lateCopy } from './copies.ts';
import { createEffects } from './effects.ts';
import { forgeries, oddities } from './forgeries.ts';
import { slowBody } from './slow-body.ts';
import { ofService, ordinary, types, validDeliveries } from './valid.ts';

/** Options of {@link auditReceiver}. */
export interface AuditOptions extends TestRequestOptions {
  /**
   * The receiver is one of any sender of Standard Webhooks: it gets the headers of the standard only, and events of one
   * type that it does not know. @default false
   */
  readonly standard?: boolean;
  /**
   * How many times the effect of `usage_threshold` has happened so far; asked for some seconds, so it can happen after
   * the response. Without it, whether a duplicate took effect is `not_observable`: a receiver that remembers nothing
   * responds like one that does.
   */
  readonly effects?: () => number | Promise<number>;
  /** Makes the next effect fail once. Without it, whether what failed is handled again is `not_observable`. */
  readonly failNext?: () => void | Promise<void>;
  /** Waits between two looks at `effects`, for tests with a clock of their own. Default: a timer. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Time limit of one attempt in ms. @default 15_000 */
  readonly timeoutMs?: number;
  /** A response slower than this fails, in ms. @default 5_000 */
  readonly slowMs?: number;
  /** The receiver's body cap in bytes. @default 1_048_576 */
  readonly maxBodyBytes?: number;
}

const rules: OptionRules<AuditOptions> = {
  ...testRequestRules,
  standard: flag,
  effects: callback,
  failNext: callback,
  wait: callback,
  timeoutMs: milliseconds,
  slowMs: millisecondsOrNone,
  maxBodyBytes: integerFrom(1),
};

const retryPausesMs = [250, 750, 2000, 3000, 4000];

/**
 * Sends valid, repeated, concurrent, tampered, stale, unsigned, oversized, unknown and slow deliveries to a
 * receiver and reports which ones it handled correctly. Valid ones take effect, so audit a test receiver. If the
 * receiver accepts no delivery at all, the report's `problem` says what to check, and nothing more is sent.
 *
 * @param target - The fetch handler itself, or the URL where it listens.
 * @throws WebhookConfigurationError when the secret or another option cannot be used to sign.
 * @example
 * const report = await auditReceiver('http://localhost:3000/webhooks', { secret });
 * console.log(String(report));
 */
export async function auditReceiver(target: Target, given: AuditOptions): Promise<AuditReport> {
  assertTarget(target);
  assertOptions(given, rules);
  const {
    effects,
    failNext,
    standard = false,
    ...rest
  } = withDeployment({
    ...given,
    ...(given.standard && { scheme: plainStandard() }),
  });
  const { timeoutMs = 15_000, slowMs = 5000 } = rest;
  const { wait = (ms: number) => new Promise<void>((resolve) => void setTimer(resolve, ms)) } =
    rest;
  const functionUrl = rest.url ?? 'https://receiver.test/webhooks';
  const options = { ...rest, url: typeof target === 'function' ? functionUrl : target };
  const seen: TargetResponse[] = [];
  let isPatient = true;
  const message = messageMaker(options, standard);
  const first = message();
  const { signer, has } = await signerOf(options, first);
  const sign: AuditTools['sign'] = async (one = message(), make = (tools) => tools.signed()) => {
    const now = Math.floor((options.now ?? platformNow)() / 1000);
    const draft = await make(drafting(signer, one, now));
    return { ...draft, url: String(options.url), method: 'POST' };
  };
  const tools: AuditTools = {
    options,
    has,
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    effects: effects && createEffects(effects, wait),
    failNext,
    wait,
    first,
    message,
    sign,
    async send(delivery) {
      const response = await send(target, delivery, timeoutMs);
      seen.push(response);
      return response;
    },
    async deliver(one, make) {
      let response = await tools.send(await sign(one, make));
      for (const pauseMs of isPatient ? retryPausesMs : []) {
        if (!isBusy(response)) break;
        await wait(pauseMs);
        response = await tools.send(await sign(one, make));
      }
      // A receiver that is always busy is given that time only once.
      if (isBusy(response)) isPatient = false;
      return response;
    },
  };
  const results: AuditResult[] = [];
  const run = async (cases: readonly AuditCase[]) => {
    for (const one of cases)
      results.push(
        one.needs && !has.has(one.needs)
          ? skipped(one, `not sent: ${needs[one.needs]}`)
          : await runCase(one, tools, slowMs),
      );
  };
  const others = [...(standard ? [] : ofService), ...validDeliveries];
  const slow = slowBody(target, timeoutMs);
  await run(standard ? ordinary : types);
  if (!seen.some(isAccepted)) {
    // A receiver that accepts nothing also rejects every forgery, so the other cases would prove nothing.
    const unsent = [...others, ...copies, ...forgeries, lateCopy, ...oddities, slow];
    const unknown = unsent.map((one) => skipped(one, 'not sent'));
    return createReport([...results, ...unknown], explainRejection(seen));
  }
  await run([...others, ...copies]);
  const before = await tools.effects?.begin();
  await run(forgeries);
  await run([forgeriesTakeNoEffect(before), lateCopy, ...oddities, slow]);
  return createReport(results);
}

function explainRejection(responses: readonly TargetResponse[]): string {
  const { status, body } = responses.at(-1) ?? { status: 0, body: '' };
  const code = codeIn(body);
  const found = status === 0 ? body : [status, code].filter(Boolean).join(' ');
  const usual =
    status < 500 && status !== 429
      ? 'Does the receiver have the secret of this audit, and verify the raw body?'
      : "What does the receiver's log say?";
  const advice =
    status === 0
      ? 'Start the receiver, or check the URL.'
      : (rejectionAdvice(status, code) ?? usual);
  return `No delivery was accepted (${found}). ${advice}`;
}

async function signerOf(
  options: AuditOptions,
  first: Message,
): Promise<{ readonly signer: Signer; readonly has: ReadonlySet<Need> }> {
  const { scheme = standardScheme() } = options;
  const { headers } = await signDelivery(first, options);
  const secrets = options.secret === undefined ? [] : readSecrets(options.secret, scheme);
  const own = await scheme.sign({
    ...{ id: first.id, timestamp: 1, body: new Uint8Array(), secrets },
  });
  const others = Object.entries(headers).filter(([name]) => !(name in own));
  const fields = envelopeFieldsOf(scheme);
  const [signsId, signsTime] = [fields.id, fields.time].map(
    (field) => field.isSigned && field.read(headers) !== undefined,
  );
  const found: Record<Need, boolean | undefined> = {
    body: scheme.name !== 'token',
    id: signsId,
    time: fields.time.read(headers) !== undefined,
    'signed time': signsTime,
    'id or time': signsId || signsTime,
    standard: scheme.name === 'standard',
  };
  return {
    signer: {
      scheme,
      secrets,
      otherSecret: crypto.getRandomValues(new Uint8Array(32)),
      headers: { ...Object.fromEntries(others), ...options.headers },
    },
    has: new Set(Object.keys(found).filter((name): name is Need => found[name as Need] === true)),
  };
}

/** Creates the events that are counted. Contents differ, so that a receiver can also keep one entry per period. */
function messageMaker(options: TestRequestOptions, standard: boolean): () => Message {
  let count = 0;
  return () => {
    count += 1;
    const time = new Date(Date.UTC(2026, 0, 1, 12) + count * 1000).toISOString();
    const event = standard
      ? { type: 'audit.sent', timestamp: time, data: { number: 900_120 + count } }
      : sampleEvent('usage_threshold', { usage: 900_120 + count, occurredAt: time });
    return toMessage(event, options);
  };
}

async function runCase(
  { name, advice, run }: AuditCase,
  tools: AuditTools,
  slowMs: number,
): Promise<AuditResult> {
  const found = await run(tools);
  const tooSlow = found.durationMs > slowMs;
  const outcome = tooSlow ? 'failed' : found.outcome;
  return {
    name,
    ...found,
    outcome,
    got: tooSlow ? `${found.got} after ${Math.round(found.durationMs)} ms` : found.got,
    ok: outcome !== 'failed',
    ...(outcome !== 'passed' && { advice: found.advice ?? advice }),
  };
}

function skipped({ name }: AuditCase, got: string): AuditResult {
  return { name, outcome: 'skipped', expected: '', got, durationMs: 0, ok: true };
}
