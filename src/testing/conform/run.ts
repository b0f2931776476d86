import type { DeploymentJson } from '../../deployment-port.ts';
import { version } from '../../generated/version.ts';
import { now } from '../../platform/driver.ts';
import type { ConformanceOptions, ConformanceResult } from './clause.ts';
import { type ConformanceClauses, ConformanceError, createClauses } from './clauses.ts';
import { mergeLines } from './shapes.ts';

/** What a run found. */
export interface ConformanceReport {
  /** Whether no clause failed. */
  readonly ok: boolean;
  /** One for each clause, in order. */
  readonly results: readonly ConformanceResult[];
  /** Everything that adapts to the service: the content of a `deployment.json`, with what was known beforehand. */
  readonly deployment: DeploymentJson;
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
  const found = new Map<string, ConformanceResult>();
  const clauses = createClauses(options, (result) => {
    found.set(result.id, result);
    onResult(result);
  });
  let left: readonly string[] = [];
  try {
    for (const { run } of clauses) {
      await run().catch((error) => {
        if (!(error instanceof ConformanceError)) throw error;
      });
    }
  } finally {
    left = await clauses.cleanUp();
  }
  const results = clauses.map(({ id }) => found.get(id) as ConformanceResult);
  const verdicts = Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
  const date = new Date((options.clock ?? { now }).now()).toISOString();
  return {
    ok: results.every(({ verdict }) => verdict !== 'failed' && verdict !== 'harness_error'),
    results,
    deployment: {
      ...mergeLines(options.deployment?.json ?? {}, clauses.deployment),
      conformance: { date, version, verdicts },
    },
    spent: clauses.spent,
    left,
  };
}
