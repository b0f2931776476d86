import { standardScheme } from '../signing/scheme.ts';
import type { Finding } from './audit-report.ts';
import { sampleEvent } from './sample-event.ts';
import type { TargetResponse } from './send.ts';
import {
  type SignedDelivery,
  signDelivery,
  type TestRequestOptions,
  toMessage,
} from './test-request.ts';

/** What a case can use. */
export interface AuditTools {
  readonly options: TestRequestOptions;
  /** The receiver's cap, to send more than it. */
  readonly maxBodyBytes: number;
  /** How many times the receiver's effect has happened, if the caller can count it. */
  readonly effects: (() => number | Promise<number>) | undefined;
  send(delivery: SignedDelivery): Promise<TargetResponse>;
}

/** One thing that a receiver must do. */
export interface AuditCase {
  readonly name: string;
  /** What to do when it fails, and why it matters. */
  readonly advice: string;
  /** Whether the case only makes sense if the signature covers id and time. */
  readonly needsEnvelope?: true;
  /** Whether it only makes sense if deliveries carry a time. */
  readonly needsTime?: true;
  run(tools: AuditTools): Promise<Finding>;
}

type MakeDelivery = (tools: AuditTools) => Promise<SignedDelivery>;

/** Whether the receiver acknowledged the delivery. */
export const isAccepted = ({ status }: TargetResponse) => status >= 200 && status < 300;
const isRejected = ({ status }: TargetResponse) => status >= 400 && status < 500;

/** What the responses show; the slowest one gives the duration. */
export function toFinding(
  expected: string,
  responses: readonly TargetResponse[],
  ok: boolean,
): Finding {
  return {
    expected,
    got: responses.map(({ status, body }) => (status === 0 ? body : String(status))).join(', '),
    ok,
    durationMs: Math.max(...responses.map(({ durationMs }) => durationMs)),
  };
}

/** A case that sends one delivery, which must be accepted. */
export function accepts(what: string, advice: string, make: MakeDelivery): AuditCase {
  return {
    name: `accepts ${what}`,
    advice,
    async run(tools) {
      const response = await tools.send(await make(tools));
      return toFinding('2xx', [response], isAccepted(response));
    },
  };
}

/** A case that sends one delivery, which must be rejected. */
export function rejects(what: string, advice: string, make: MakeDelivery): AuditCase {
  return {
    name: `rejects ${what}`,
    advice,
    async run(tools) {
      const response = await tools.send(await make(tools));
      return toFinding('4xx', [response], isRejected(response));
    },
  };
}

/** The same, for a delivery that is only wrong if the signature covers id and time. */
export function rejectsEnvelope(what: string, advice: string, make: MakeDelivery): AuditCase {
  return { ...rejects(what, advice, make), needsEnvelope: true };
}

/** The same, for a delivery that is only wrong if deliveries carry a time. */
export function rejectsTime(what: string, advice: string, make: MakeDelivery): AuditCase {
  return { ...rejects(what, advice, make), needsTime: true };
}

/** Sends copies of one delivery, which must have one effect. Only `effects` can show whether it did. */
export async function expectOneEffect(
  tools: AuditTools,
  expected: string,
  sendCopies: (delivery: SignedDelivery) => Promise<TargetResponse[]>,
  isRight: (responses: readonly TargetResponse[]) => boolean,
): Promise<Finding> {
  const before = await tools.effects?.();
  const responses = await sendCopies(await sign(tools));
  const found = toFinding(expected, responses, isRight(responses));
  if (before === undefined || !tools.effects) {
    if (!found.ok) return found;
    return { ...found, got: `${found.got}; effects not observable`, notObservable: true };
  }
  const effects = (await tools.effects()) - before;
  return {
    ...found,
    expected: `${expected}; 1 effect`,
    got: `${found.got}; ${effects} effect${effects === 1 ? '' : 's'}`,
    ok: found.ok && effects === 1,
  };
}

/** A signed sample event. */
export function sign(
  { options }: AuditTools,
  changes: Partial<TestRequestOptions> = {},
): Promise<SignedDelivery> {
  return signDelivery(toMessage(sampleEvent('usage_threshold'), options), {
    ...options,
    ...changes,
  });
}

/** The names of the headers that carry the signature. */
export function signatureHeaders({ options }: AuditTools): readonly string[] {
  return (options.scheme ?? standardScheme()).signatureHeaders;
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
