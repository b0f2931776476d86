import type { Deployment } from '../../deployment.ts';
import type { ConformanceClause, ConformanceFinding, ConformanceVerdict } from './clause.ts';
import type { Evidence, Session } from './session.ts';

/** A clause as the tables have it. */
export interface Rule
  extends Pick<ConformanceClause, 'rule'>,
    Partial<Pick<ConformanceClause, 'source' | 'needs' | 'after'>> {
  /** Judged before, whatever they find: they use what this clause lists or removes. */
  readonly waitsFor?: readonly string[];
  judge(t: Session): Promise<ConformanceFinding>;
}

/** The clauses by their ids, in order. */
export type Rules = Readonly<Record<string, Rule>>;

const judgement =
  (verdict: ConformanceVerdict) =>
  (evidence: Evidence | undefined, seen: string, adapt?: Deployment): ConformanceFinding => ({
    verdict,
    seen,
    ...(adapt && { adapt }),
    ...(evidence && { exchange: evidence.exchange }),
  });

export const passed = judgement('passed');
export const failed = judgement('failed');
export const differs = judgement('differs');
export const absent = judgement('absent');

/** Passed, or what was seen instead. */
export const passedIf = (isRight: boolean, evidence: Evidence, seen: string, instead: string) =>
  isRight ? passed(evidence, seen) : differs(evidence, instead);
