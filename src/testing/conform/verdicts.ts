import type { DeploymentJson } from '../../deployment-port.ts';
import { isText } from '../../options/values.ts';
import type { OperationId } from '../../types.ts';
import type { ConformanceClause } from './clause.ts';
import { type Evidence, isOk, type Reply, type Session } from './session.ts';
import { at, type Wanted } from './shapes.ts';

/** A clause as the tables have it: a request, and what its reply should be. */
export interface Rule
  extends Pick<ConformanceClause, 'rule'>,
    Partial<Pick<ConformanceClause, 'source' | 'needs' | 'after'>> {
  /** Judged before, whatever they find: they use what this clause lists or removes. */
  readonly waitsFor?: readonly string[];
  request(t: Session): Promise<Reply>;
  judge(reply: Reply, t: Session): Judgement | Promise<Judgement>;
}

/** The clauses by their ids, in order. */
export type Rules = Readonly<Record<string, Rule>>;

/** What a clause says about a reply. */
export interface Judgement {
  /** `wrong`: a given rule has failed; where the rule is ours, the service differs. */
  readonly verdict: 'passed' | 'wrong' | 'differs' | 'absent';
  readonly seen: string;
  readonly lines: DeploymentJson;
  /** What shows it, if it is not the reply. */
  readonly shownBy: Evidence | undefined;
}

const judgement =
  (verdict: Judgement['verdict']) =>
  (seen: string, lines: DeploymentJson = {}, shownBy?: Evidence): Judgement => ({
    verdict,
    seen,
    lines,
    shownBy,
  });

export const wrong = judgement('wrong');
export const differs = judgement('differs');
export const absent = judgement('absent');
const right = judgement('passed');
export const passed = (seen: string, shownBy?: Evidence) => right(seen, {}, shownBy);

export const passedIf = (isRight: boolean, seen: string, instead: string, shownBy?: Evidence) =>
  isRight ? passed(seen, shownBy) : wrong(instead, {}, shownBy);

/** Passed, or the lines that adapt. */
export function unlessLines(seen: string, lines: DeploymentJson, shownBy?: Evidence): Judgement {
  const described = describeLines(lines);
  return described ? differs(described, lines, shownBy) : passed(seen, shownBy);
}

/** What the lines of a deployment put right. */
function describeLines({ baseUrl, wrap, fields = {}, statuses = {} }: DeploymentJson): string {
  const parts = [
    ...(baseUrl ? [`the service is at ${baseUrl}`] : []),
    ...(wrap ? [`the body is in ${wrap}`] : []),
    ...Object.entries(fields).map(([ours, theirs]) => `${ours} is in ${theirs}`),
    ...Object.entries(statuses).map(([ours, theirs]) => `${ours} is called ${theirs}`),
    ...(statuses['completed'] ? ['add their word for failed by hand'] : []),
  ];
  return parts.join(', ');
}

export const hasStatus = (status: number) => (reply: Reply) =>
  passedIf(reply.status === status, `${status}`, `${describeReply(reply)} instead of ${status}`);

/** Passed if there was a good response, perhaps only in another way, whose lines adapt. */
export function accepted(reply: Reply, way: string): Judgement {
  const seen = describeReply(reply);
  if (!isOk(reply)) return wrong(seen);
  return reply.moved ? differs(way, reply.moved) : passed(seen);
}

/** Whether an operation does not exist. */
export const isMissing = ({ status }: Reply) => [404, 405, 501].includes(status);

/** The verdict on a service that lacks the operation, and those that go with it. */
export const lacks = (t: Session, reply: Reply, ...operations: OperationId[]) =>
  isMissing(reply)
    ? absent(`${operations[0]}: ${describeReply(reply)}`, t.learn({ absent: operations }), reply)
    : undefined;

/** The fields that a body should have and does not: `without id, secret`; empty if it has them all. */
export function missingFrom(value: object, fields: readonly Wanted[]): string {
  const missing = fields.filter(({ name, is }) => !is(at(value, name))).map(({ name }) => name);
  return missing.length > 0 ? `without ${missing.join(', ')}` : '';
}

export const mediaType = ({ headers }: Reply) => headers.get('content-type')?.split(';', 1)[0];

export function describeReply(reply: Reply): string {
  const { status, headers, text, body } = reply;
  if (status === 0) return `no response (${text})`;
  if (status >= 300 && status < 400) {
    return `${status}, a redirect to ${headers.get('location') ?? 'elsewhere'}; use that as the base URL`;
  }
  const code = at(body, 'code');
  if (isText(code) && /^\w{1,64}$/.test(code)) return `${status} ${code}`;
  const type = mediaType(reply);
  return type && !/json/.test(type) ? `${status} with ${type}` : `${status}`;
}
