import type { TargetResponse } from '../send.ts';
import type { SignedDelivery, TestRequestOptions } from '../test-request.ts';
import { type Make, signed } from '../vectors/drafting.ts';
import type { Need } from '../vectors/flags.ts';
import type { AuditOutcome, AuditResult } from './audit-report.ts';
import type { Effects } from './effects.ts';

export interface Message {
  readonly id: string;
  readonly body: string;
}

export interface AuditTools {
  readonly options: TestRequestOptions;
  /** What the scheme signs and sends. */
  readonly has: ReadonlySet<string>;
  readonly maxBodyBytes: number;
  /** Absent if nobody counts the effects. */
  readonly effects: Effects | undefined;
  readonly failNext: (() => void | Promise<void>) | undefined;
  wait(ms: number): Promise<void>;
  /** The event that is sent first, and once more at the end. */
  readonly first: Message;
  /** A new event that takes effect, unlike every earlier one. */
  message(): Message;
  /** Makes a delivery of the message, or of a new one; signed as it is unless `make` changes it. */
  sign(message?: Message, make?: Make): Promise<SignedDelivery>;
  send(delivery: SignedDelivery): Promise<TargetResponse>;
  /** Sends it as the service does: again, newly signed, while the receiver is busy. */
  deliver(message: Message, make?: Make): Promise<TargetResponse>;
}

/** What one case found; its advice replaces that of the case. */
export type Finding = Omit<AuditResult, 'name' | 'ok'>;

export interface AuditCase {
  readonly name: string;
  readonly advice: string;
  /** What the scheme must sign or send, so that the case makes sense. */
  readonly needs?: Need | undefined;
  run(tools: AuditTools): Promise<Finding>;
}

export const isAccepted = ({ status }: TargetResponse) => status >= 200 && status < 300;
/** Whether it asked for another attempt, because it is handling a copy or is busy. */
export const isBusy = ({ status }: TargetResponse) => [409, 425, 429, 503].includes(status);

export const signedAgo = (seconds: number): Make => signed(({ now }) => ({ time: now - seconds }));

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
