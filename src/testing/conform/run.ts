import type { Deployment } from '../../deployment.ts';
import { version } from '../../generated/version.ts';
import { now } from '../../platform/driver.ts';
import type { ConformanceClause, ConformanceFinding, ConformanceOptions } from './clause.ts';
import { type ConformanceClauses, ConformanceError, createClauses } from './clauses.ts';
import { mergeLines } from './shapes.ts';

/** The finding of one clause. */
export interface ConformanceResult
  extends Pick<ConformanceClause, 'id' | 'source' | 'rule'>,
    ConformanceFinding {}

/** What a run found. */
export interface ConformanceReport {
  /** Whether no clause failed. */
  readonly ok: boolean;
  /** One for each clause, in order. */
  readonly results: readonly ConformanceResult[];
  /** Everything that adapts to the service: the content of a `deployment.json`, with what was known beforehand. */
  readonly deployment: Deployment;
  /** How many requests were sent, and how many tokens the generations used. */
  readonly spent: ConformanceClauses['spent'];
  /** What could not be removed. */
  readonly left: readonly string[];
}

/**
 * Judges a service by every clause, and removes what that made.
 *
 * @throws TypeError when an option is missing or invalid. What `onResult` throws ends the run, which still removes what it
 * made; `onLeft` is told what is left then
 * @example
 * const { ok, deployment } = await runConformance({ url, apiKey });
 */
export async function runConformance(
  options: ConformanceOptions,
  onResult: (result: ConformanceResult) => void = () => {},
): Promise<ConformanceReport> {
  const clauses = createClauses(options, (id, finding) => onResult(resultOf(id, finding)));
  const resultOf = (id: string, finding: ConformanceFinding): ConformanceResult => {
    const { source, rule } = clauses.find((one) => one.id === id) as ConformanceClause;
    return { id, source, rule, ...finding };
  };
  const results: ConformanceResult[] = [];
  let left: readonly string[] = [];
  try {
    for (const { id, run } of clauses) {
      const finding = await run().catch((error) => {
        if (error instanceof ConformanceError) return error.finding;
        throw error;
      });
      results.push(resultOf(id, finding));
    }
  } finally {
    left = await clauses.cleanUp();
  }
  const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
  const date = new Date((options.clock ?? { now }).now()).toISOString();
  return {
    ok: results.every(({ verdict }) => verdict !== 'failed' && verdict !== 'harness_error'),
    results,
    deployment: {
      ...mergeLines(options.deployment ?? {}, clauses.deployment),
      conformance: { date, version, verdicts },
    },
    spent: clauses.spent,
    left,
  };
}
