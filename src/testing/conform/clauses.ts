import { type DeploymentJson, deploymentRule } from '../../deployment-port.ts';

import { optionMistake } from '../../options/check-options.ts';
import * as option from '../../options/rules.ts';
import { accessRules } from './access.ts';
import { callbackRules, repeatRule } from './callbacks.ts';
import type {
  ConformanceClause,
  ConformanceFinding,
  ConformanceNeed,
  ConformanceOptions,
  ConformanceResult,
} from './clause.ts';
import { generationRules } from './generation.ts';
import { NotObservable, notStopped, Session } from './session.ts';
import type { Rule, Rules } from './verdicts.ts';
import { writeRules } from './writes.ts';

const optionRules: option.OptionRules<ConformanceOptions> = {
  url: option.mustBe('an http or https URL', option.matches(/^https?:\/\/\S+$/i)),
  apiKey: option.text,
  secret: option.text,
  receiver: option.objectWith(['handle']),
  allowWrites: option.flag,
  spend: option.count,
  deployment: deploymentRule,
  fetch: option.callback,
  timeoutMs: option.millisecondsOrNone,
  deadlineMs: option.millisecondsOrNone,
  patienceMs: option.millisecondsOrNone,
  signal: option.abortSignal,
  onLeft: option.callback,
  clock: option.objectWith(['now', 'sleep']),
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
  readonly deployment: DeploymentJson;
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

/** As {@link conformanceClauses}; each result is also passed on as soon as there is one. */
export function createClauses(
  options: ConformanceOptions,
  onResult: (result: ConformanceResult) => void = () => {},
): ConformanceClauses {
  const mistake = optionMistake(options, optionRules);
  if (mistake) throw new TypeError(`conformanceClauses: ${mistake}`);
  const session = new Session(options);
  /** The flag of the command that gives what is missing. */
  const missing: Readonly<Record<ConformanceNeed, string | false>> = {
    admin: false,
    receiver: !options.receiver && '--receiver-url',
    spend: options.spend === 0 && '--spend',
    write: !options.allowWrites && '--allow-writes',
  };

  const findings = new Map<string, Promise<ConformanceFinding>>();
  const find = (id: string): Promise<ConformanceFinding> => {
    const finding = findings.get(id) ?? decide(id);
    findings.set(id, finding);
    return finding;
  };
  async function decide(id: string): Promise<ConformanceFinding> {
    const clause = rules[id] as Rule;
    const { source = 'ours', rule, needs = [], after = [], waitsFor = [] } = clause;
    const flags = needs.map((need) => missing[need]).filter(Boolean);
    let obstacle: string | undefined = flags.join(' and ');
    for (const other of obstacle ? [] : after) {
      const { verdict } = await find(other);
      if (verdict !== 'passed' && verdict !== 'differs') obstacle ||= other;
    }
    for (const other of obstacle ? [] : waitsFor) await find(other);
    const found = obstacle ? notObservable(obstacle) : await judge(clause, session);
    const finding = { ...found, seen: session.redact(found.seen) };
    onResult({ id, source, rule, ...finding });
    return finding;
  }

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
    spent: { get: () => ({ requests: session.requests, tokens: session.tokens }) },
    serverDate: { get: () => session.serverDate },
  }) as readonly ConformanceClause[] as ConformanceClauses;
}

const notObservable = (seen: string) => ({ verdict: 'not_observable', seen }) as const;

async function judge(
  { source = 'ours', request, judge }: Rule,
  session: Session,
): Promise<ConformanceFinding> {
  try {
    const reply = await request(session);
    const { verdict, seen, lines, shownBy = reply } = await judge(reply, session);
    // What was sent last might have been cut off.
    if (session.options.signal?.aborted && verdict !== 'passed') return notObservable(notStopped);
    return {
      // No service owes us our own decisions.
      verdict: verdict !== 'wrong' ? verdict : source === 'ours' ? 'differs' : 'failed',
      seen,
      ...(Object.keys(lines).length > 0 && { adapt: lines }),
      exchange: shownBy.exchange,
    };
  } catch (error) {
    if (error instanceof NotObservable) return notObservable(error.message);
    return { verdict: 'harness_error', seen: `${error instanceof Error ? error.stack : error}` };
  }
}
