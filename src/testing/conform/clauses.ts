import type { Deployment } from '../../deployment.ts';
import { deploymentRule } from '../../deployment-rule.ts';
import {
  abortSignal,
  callback,
  count,
  flag,
  millisecondsOrNone,
  mustBe,
  type OptionRules,
  objectWith,
  optionMistake,
  text,
} from '../../option-rules.ts';
import { accessRules } from './access.ts';
import { callbackRules, repeatRule } from './callbacks.ts';
import type {
  ConformanceClause,
  ConformanceFinding,
  ConformanceNeed,
  ConformanceOptions,
} from './clause.ts';
import { generationRules } from './generation.ts';
import { readingRules } from './reading.ts';
import type { Rule, Rules } from './rule.ts';
import { createSession, NotObservable, notStopped } from './session.ts';
import { writeRules } from './writes.ts';

const optionRules: OptionRules<ConformanceOptions> = {
  url: mustBe('an http or https URL', (value) => /^https?:\/\/\S+$/i.test(String(value))),
  apiKey: text,
  secret: text,
  receiver: objectWith(['handle']),
  allowWrites: flag,
  spend: count,
  deployment: deploymentRule,
  fetch: callback,
  timeoutMs: millisecondsOrNone,
  deadlineMs: millisecondsOrNone,
  patienceMs: millisecondsOrNone,
  signal: abortSignal,
  onLeft: callback,
  clock: objectWith(['now', 'sleep']),
};

/** What only reads, if nothing else is allowed. `contentgen doctor` judges these. */
const first = [
  ...['credentials.missing', 'credentials.accepted', 'usage.get'],
  ...['list.page', 'keys.revoke', 'registrations.manage'],
];

const byTopic: Rules = {
  ...accessRules,
  ...generationRules,
  ...callbackRules,
  ...readingRules,
  ...writeRules,
  ...repeatRule,
};

/** In this order, and the repeat last. */
const rules: Rules = {
  ...Object.fromEntries(first.map((id) => [id, byTopic[id] as Rule])),
  ...byTopic,
};

/** The clauses of one run. They share requests and what they find out about the service. */
export interface ConformanceClauses extends ReadonlyArray<ConformanceClause> {
  /** Removes what was made, newest first. Resolves to what could not be removed. */
  cleanUp(): Promise<readonly string[]>;
  /** What was found so far: the lines of a `deployment.json`. */
  readonly deployment: Deployment;
  /** What was used so far. */
  readonly spent: {
    /** Requests sent. */
    readonly requests: number;
    /** Tokens of the generations. */
    readonly tokens: number;
  };
  /** The `Date` header of the last response. */
  readonly serverDate: string | null;
}

/** A clause whose verdict is `failed` or `harness_error`. */
export class ConformanceError extends Error {
  /** Always `ConformanceError`. */
  override readonly name = 'ConformanceError';
  /** What was found. */
  readonly finding: ConformanceFinding;

  constructor(
    { id, source, rule }: Pick<ConformanceClause, 'id' | 'source' | 'rule'>,
    finding: ConformanceFinding,
  ) {
    const { verdict, seen, exchange } = finding;
    super(`${id} (${source}): ${rule}. ${verdict}: ${seen}${exchange ? `\n${exchange}` : ''}`);
    this.finding = finding;
  }
}

/**
 * The rules of the service's specification, and of the contract that fills its gaps, for any test runner.
 *
 * @throws TypeError when an option is missing or invalid
 * @example
 * const clauses = conformanceClauses({ url, apiKey });
 * for (const clause of clauses) test(clause.id, clause.run);
 * afterAll(() => clauses.cleanUp());
 */
export function conformanceClauses(options: ConformanceOptions): ConformanceClauses {
  return createClauses(options);
}

/** As {@link conformanceClauses}; each finding is also passed on as soon as there is one. */
export function createClauses(
  options: ConformanceOptions,
  onFinding: (id: string, finding: ConformanceFinding) => void = () => {},
): ConformanceClauses {
  const mistake = optionMistake(options, optionRules);
  if (mistake) throw new TypeError(`conformanceClauses: ${mistake}`);
  const session = createSession(options);
  /** The flag of the command that gives what is missing. */
  const missing: Readonly<Record<ConformanceNeed, string | false>> = {
    admin: false,
    receiver: !options.receiver && '--receiver-url',
    spend: options.spend === 0 && '--spend',
    write: !options.allowWrites && '--allow-writes',
  };

  const judge = async ({ after = [], judge }: Rule): Promise<ConformanceFinding> => {
    try {
      for (const id of after) {
        const { verdict } = await find(id);
        if (verdict !== 'passed' && verdict !== 'differs') throw new NotObservable(id);
      }
      const finding = await judge(session);
      // What was sent last might have been cut off.
      if (options.signal?.aborted && finding.verdict !== 'passed')
        throw new NotObservable(notStopped);
      return finding;
    } catch (error) {
      if (error instanceof NotObservable) return { verdict: 'not_observable', seen: error.message };
      return { verdict: 'harness_error', seen: `${error instanceof Error ? error.stack : error}` };
    }
  };
  const find = (id: string): Promise<ConformanceFinding> =>
    session.once(id, async () => {
      const { needs = [], waitsFor = [], after = [], ...rule } = rules[id] as Rule;
      const flags = needs.map((need) => missing[need]).filter(Boolean);
      // Outside of the judgement: what onFinding throws is no fault of a clause.
      if (flags.length === 0) for (const other of [...after, ...waitsFor]) await find(other);
      const finding: ConformanceFinding =
        flags.length === 0
          ? await judge({ ...rule, after })
          : { verdict: 'not_observable', seen: flags.join(' and ') };
      onFinding(id, finding);
      return finding;
    });

  const clauses = Object.entries(rules).map(([id, one]): ConformanceClause => {
    const { source = 'ours', rule, needs = [], after = [] } = one;
    const clause = { id, source, rule, needs, after };
    return {
      ...clause,
      async run(context) {
        const finding = await find(id);
        const { verdict, seen } = finding;
        if (verdict === 'failed' || verdict === 'harness_error')
          throw new ConformanceError(clause, finding);
        const { skip } = Object(context);
        if (verdict === 'not_observable' && typeof skip === 'function')
          skip.call(context, `not observable without ${seen}`);
        return finding;
      },
    };
  });
  return Object.defineProperties(clauses, {
    cleanUp: { value: () => session.cleanUp() },
    deployment: { get: () => session.found },
    spent: { get: () => ({ requests: session.requests, tokens: session.spent }) },
    serverDate: { get: () => session.date },
  }) as readonly ConformanceClause[] as ConformanceClauses;
}
