import { standardScheme } from '../../signing/scheme.ts';
import { sampleEvent } from '../sample-event.ts';
import type { TargetResponse } from '../send.ts';
import {
  type SignedDelivery,
  signDelivery,
  type TestRequestOptions,
  toMessage,
} from '../test-request.ts';
import type { AuditOutcome } from './audit-report.ts';
import type { Effects } from './effects.ts';

/** What is signed: the id and the body. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/** What a case can use. */
export interface AuditTools {
  readonly options: TestRequestOptions;
  /** The receiver's cap, to send more than it. */
  readonly maxBodyBytes: number;
  /** Absent if nobody counts the effects. */
  readonly effects: Effects | undefined;
  readonly failNext: (() => void | Promise<void>) | undefined;
  /** Pauses on the audit's clock. */
  wait(ms: number): Promise<void>;
  /** The event that is sent first, and once more at the end. */
  readonly first: Message;
  /** A new usage event, unlike every earlier one. */
  message(): Message;
  send(delivery: SignedDelivery): Promise<TargetResponse>;
  /** Sends it as the service does: again, newly signed, while the receiver is busy. */
  deliver(
    message: Message,
    changes?: Partial<TestRequestOptions>,
    change?: (delivery: SignedDelivery) => Promise<SignedDelivery>,
  ): Promise<TargetResponse>;
}

/** What one case found. */
export interface Finding {
  readonly expected: string;
  readonly got: string;
  readonly outcome: AuditOutcome;
  readonly durationMs: number;
  /** Replaces the advice of the case. */
  readonly advice?: string;
}

/** One thing that a receiver must do. */
export interface AuditCase {
  readonly name: string;
  /** What to do when it fails, and why it matters. */
  readonly advice: string;
  /** What the scheme must sign or send, so that the case makes sense. */
  readonly needs?: 'body' | 'envelope' | 'time';
  run(tools: AuditTools): Promise<Finding>;
}

/** Whether the receiver acknowledged the delivery. */
export const isAccepted = ({ status }: TargetResponse) => status >= 200 && status < 300;
/** Whether it asked for another attempt, because it is handling a copy or is busy. */
export const isBusy = ({ status }: TargetResponse) => [409, 425, 429, 503].includes(status);

/** What the responses show; the slowest one gives the duration. */
export function toFinding(
  expected: string,
  responses: readonly TargetResponse[],
  outcome: AuditOutcome,
): Finding {
  return {
    expected,
    got: responses.map(({ status, body }) => (status === 0 ? body : String(status))).join(', '),
    outcome,
    durationMs: Math.max(...responses.map(({ durationMs }) => durationMs)),
  };
}

/** A case that sends one valid delivery, which must be accepted; a `counted` one must take effect. */
export function accepts(
  what: string,
  advice: string,
  make: (tools: AuditTools) => Message,
  options: {
    readonly changes?: Partial<TestRequestOptions>;
    readonly change?: (delivery: SignedDelivery, tools: AuditTools) => Promise<SignedDelivery>;
    readonly counted?: boolean;
    readonly needs?: AuditCase['needs'];
  } = {},
): AuditCase {
  const { changes, change, counted = true, needs } = options;
  return {
    name: `accepts ${what}`,
    advice,
    ...(needs && { needs }),
    async run(tools) {
      const message = make(tools);
      const { effects } = tools;
      if (!counted) effects?.lose();
      const before = counted && effects ? await effects.begin() : 0;
      const response = await tools.deliver(
        message,
        changes,
        change && ((one) => change(one, tools)),
      );
      const found = toFinding('2xx', [response], isAccepted(response) ? 'passed' : 'failed');
      if (found.outcome === 'failed' || !effects || !counted) return found;
      return withEffects(found, await effects.rise(before, 1), 1, neverHandled);
    },
  };
}

const neverHandled =
  'It was acknowledged but took no effect, so the event is lost. Respond 2xx only after it is handled or stored, and let effects count usage_threshold.';

/** Adds the number of effects, which decides. */
export function withEffects(
  found: Finding,
  effects: number,
  wanted: number,
  lostAdvice?: string,
): Finding {
  const text = (count: number) => `${count} effect${count === 1 ? '' : 's'}`;
  return {
    ...found,
    expected: `${found.expected}; ${text(wanted)}`,
    got: `${found.got}; ${text(effects)}`,
    outcome: effects === wanted ? found.outcome : 'failed',
    ...(effects < wanted && lostAdvice && { advice: lostAdvice }),
  };
}

/** A signed usage event, unlike every earlier one. */
export function sign(
  tools: AuditTools,
  changes: Partial<TestRequestOptions> = {},
): Promise<SignedDelivery> {
  return signDelivery(tools.message(), { ...tools.options, ...changes });
}

/** Creates the `message` of the tools. Contents differ, so that a receiver can also keep one entry per period. */
export function messageMaker(options: TestRequestOptions): () => Message {
  let count = 0;
  return () => {
    count += 1;
    const occurredAt = new Date(Date.UTC(2026, 0, 1, 12) + count * 1000).toISOString();
    const changes = { usage: 900_120 + count, occurredAt };
    return toMessage(sampleEvent('usage_threshold', changes), options);
  };
}

/** A new secret, which the receiver does not have. */
export const decoy = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));

/** The names of the headers that carry the signature. */
export function signatureHeaders({ options }: AuditTools): readonly string[] {
  return (options.scheme ?? standardScheme()).signatureHeaders;
}

/** A copy in which every signature is changed: what is before the digest, and the digest. */
export function changeSignatures(
  delivery: SignedDelivery,
  tools: AuditTools,
  change: (prefix: string, digest: string) => string,
): SignedDelivery {
  const names = signatureHeaders(tools);
  const value = delivery.headers[names[0] as string] ?? '';
  const changed = value.split(' ').map((signature) => {
    const { 0: digest = signature, index = 0 } =
      /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]+=*$/.exec(signature) ?? {};
    return change(signature.slice(0, index), digest);
  });
  return withHeaders(delivery, names, changed.join(' '));
}

/** A copy without the named headers. */
export function withoutHeaders(delivery: SignedDelivery, names: readonly string[]): SignedDelivery {
  const removed = names.map((name) => name.toLowerCase());
  const kept = Object.entries(delivery.headers).filter(
    ([name]) => !removed.includes(name.toLowerCase()),
  );
  return { ...delivery, headers: Object.fromEntries(kept) };
}

/** A copy with a value for each of the named headers. */
export function withHeaders(
  delivery: SignedDelivery,
  names: readonly string[],
  value: string,
): SignedDelivery {
  const changed = Object.fromEntries(names.map((name) => [name, value]));
  return { ...delivery, headers: { ...delivery.headers, ...changed } };
}
