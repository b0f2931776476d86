import type { OperationId } from '../../../src/generated/operations.ts';
import { componentFaults, contractFaults, eventData, operationOf } from '../contract.ts';

/** The head of an answer as the tap wrote it, with the body if that was no stream. */
export interface AnswerRecord {
  readonly id: number;
  /** The test that was running. */
  readonly of?: string;
  readonly method: string;
  readonly path: string;
  /** As the server routed it; absent where it did not come so far. */
  readonly operation?: OperationId;
  /** The injected fault that struck. */
  readonly effect?: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream?: true;
  readonly body?: string;
}

/** An answer put together: of a stream, what passed of it. */
export interface Answer extends AnswerRecord {
  /** Whether a stream came to its own end. */
  readonly ended: boolean;
}

/** Effects after which a body is damaged on purpose. */
const DAMAGES = ['truncate', 'stall', 'malformed'] as const;

const headOf = ({ status, headers }: AnswerRecord) => ({
  status,
  headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
});

/** A fault that answers in the operation's place, with a status or a code that the contract need not know. */
function isForeign({ effect, status }: Answer, declared: boolean): boolean {
  if (typeof effect?.['status'] !== 'number') return false;
  return effect['code'] !== undefined || status < 400 || !declared;
}

function problemFaults(answer: Answer, what: string): string[] {
  if (!answer.headers['content-type']?.startsWith('application/problem+json')) return [];
  const { body = '', headers, status } = answer;
  const problem = JSON.parse(body) as { requestId?: unknown; status?: unknown };
  return [
    ...componentFaults('Problem', problem, what),
    ...(problem.requestId === headers['x-request-id']
      ? []
      : [`${what} at /requestId: is not the X-Request-Id`]),
    ...(problem.status === status ? [] : [`${what} at /status: is not the status`]),
  ];
}

/** A stream is deltas, then exactly one end event, named after what it holds. */
function streamFaults({ body = '', ended, effect }: Answer, what: string): string[] {
  const names = [...body.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
  const wanted = (eventData(body) as { status?: string }[]).map(({ status }) =>
    status === undefined ? 'generation.delta' : `generation.${status}`,
  );
  const whole = names.slice(0, wanted.length);
  const ends = wanted.filter((name) => name !== 'generation.delta');
  const last = wanted.at(-1);
  return [
    ...(whole.join() === wanted.join() ? [] : [`${what}: the events are called ${whole}`]),
    ...(ends.length <= 1 && (ends.length === 0 || ends[0] === last)
      ? []
      : [`${what}: something follows the end event`]),
    ...(!ended || effect !== undefined || ends.length === 1 ? [] : [`${what}: no end event`]),
  ];
}

function jwksFaults({ body = '' }: Answer): string[] {
  const { keys } = JSON.parse(body) as { keys: Record<string, unknown>[] };
  const secret = keys.some((key) => ['d', 'p', 'q', 'k'].some((member) => member in key));
  return secret || keys.length === 0 ? ['jwks.json: no keys, or private ones'] : [];
}

/** What is outside of every operation: the router's own refusals, preflights and the open documents. */
function faultsBeside(answer: Answer): string[] {
  const { method, path, status, headers } = answer;
  const what = `${method} ${path} ${status}`;
  if (path.endsWith('/.well-known/jwks.json') && status === 200 && method === 'GET') {
    return jwksFaults(answer);
  }
  if (method === 'OPTIONS' && status === 204) {
    return headers['access-control-allow-methods'] ? [] : [`${what}: no allowed methods`];
  }
  if (status < 400) return path.endsWith('.yaml') || method === 'HEAD' ? [] : [`${what}: of what?`];
  return status === 405 && !headers['allow'] ? [`${what}: no header Allow`] : [];
}

export interface Verdict {
  readonly operation: OperationId | undefined;
  readonly faults: readonly string[];
  /** Changed by an injected fault so that the contract has no say in (all of) it. */
  readonly exempt: boolean;
}

const sayOf = (answer: Answer): OperationId | undefined =>
  answer.operation ?? (answer.status === 401 ? operationOf(answer.method, answer.path) : undefined);

/** Holds one answer to the contract. */
export function verdictOn(answer: Answer): Verdict {
  try {
    return judged(answer);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const operation = sayOf(answer);
    const what = `${operation ?? `${answer.method} ${answer.path}`} ${answer.status}`;
    return { operation, faults: [`${what}: is no JSON`], exempt: false };
  }
}

function judged(answer: Answer): Verdict {
  const { method, effect, status } = answer;
  const operation = sayOf(answer);
  const what = `${operation ?? `${method} ${answer.path}`} ${status}`;
  const head = headOf(answer);
  const missing = ['x-request-id', 'api-version', 'access-control-allow-origin']
    .filter((name) => answer.headers[name] === undefined)
    .map((name) => `${what}: no header ${name}`);
  const declared = operation !== undefined && !undeclared(operation, head);
  if (isForeign(answer, declared)) return { operation, faults: missing, exempt: true };
  const damaged = DAMAGES.some((damage) => effect?.[damage] !== undefined);
  const unread = method === 'HEAD' || damaged;
  const text = unread ? undefined : (answer.body ?? '');
  const faults = [
    ...missing,
    ...(operation ? contractFaults(operation, head, text) : faultsBeside(answer)),
    ...(unread ? [] : problemFaults(answer, what)),
    ...(answer.stream && !damaged ? streamFaults(answer, what) : []),
  ];
  return { operation, faults, exempt: damaged };
}

const undeclared = (operation: OperationId, head: ReturnType<typeof headOf>): boolean =>
  contractFaults(operation, head).some((fault) => fault.endsWith('declares no such status'));
