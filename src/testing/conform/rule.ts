import type { Deployment } from '../../deployment.ts';
import type { ConformanceFinding, ConformanceNeed, ConformanceVerdict } from './clause.ts';
import type { Evidence, Session } from './session.ts';

/** A clause as the tables have it. */
export interface Rule {
  readonly id: string;
  /** @default 'ours' */
  readonly source?: string;
  readonly rule: string;
  readonly needs?: readonly ConformanceNeed[];
  readonly after?: readonly string[];
  judge(session: Session): Promise<ConformanceFinding>;
}

type Judgement = (
  evidence: Evidence | undefined,
  seen: string,
  adapt?: Deployment,
) => ConformanceFinding;

const judgement =
  (verdict: ConformanceVerdict): Judgement =>
  (evidence, seen, adapt) => ({
    verdict,
    seen,
    ...(adapt && { adapt }),
    ...(evidence && { exchange: evidence.exchange }),
  });

export const passed: Judgement = judgement('passed');
export const failed: Judgement = judgement('failed');
export const differs: Judgement = judgement('differs');
export const absent: Judgement = judgement('absent');

/** Passed, or what was seen instead. */
export const passedIf = (isRight: boolean, evidence: Evidence, seen: string, instead: string) =>
  isRight ? passed(evidence, seen) : differs(evidence, instead);

export const notObservable = (needed: string): ConformanceFinding => ({
  verdict: 'not_observable',
  seen: needed,
});
