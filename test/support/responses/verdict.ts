import type { OperationId } from '../../../src/generated/operations.ts';
import { componentFaults, contractFaults, eventData } from '../contract.ts';

/** The head of a response as the tap recorded it, with the body unless that is a stream. */
export interface ResponseRecord {
  readonly id: number;
  /** The test that was running. */
  readonly of?: string;
  readonly method: string;
  readonly path: string;
  /** Absent if no operation has this method and path. */
  readonly operation?: OperationId;
  /** Effects of the injected faults that were armed for the operation. */
  readonly effects?: readonly Readonly<Record<string, unknown>>[];
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream?: true;
  readonly body?: string;
}

/** A recorded response; of a stream, `body` is the part that was read. */
export interface TappedResponse extends ResponseRecord {
  /** Whether the body was read to its end. */
  readonly ended: boolean;
}

export interface Verdict {
  readonly operation: OperationId | undefined;
  readonly faults: readonly string[];
  /** Whether an injected fault excuses a difference from the contract. */
  readonly exempt: boolean;
}

const INJECTED = 'This response was injected by a fault.';
const REQUIRED_HEADERS = ['x-request-id', 'api-version', 'access-control-allow-origin'];
/** Effects that damage a body on purpose. */
const DAMAGES = ['truncate', 'stall', 'malformed'];

/** Checks one response against the contract. */
export function verdictOn(response: TappedResponse): Verdict {
  const { operation, effects = [] } = response;
  const missing = REQUIRED_HEADERS.filter((name) => response.headers[name] === undefined).map(
    (name) => `${nameOf(response)}: no header ${name}`,
  );
  if (isInjected(response)) return { operation, faults: missing, exempt: true };
  const faults = [...missing, ...headFaults(response), ...bodyFaults(response)];
  const mayBeDamaged = effects.some((effect) => DAMAGES.some((damage) => damage in effect));
  if (faults.length === 0 || !mayBeDamaged) return { operation, faults, exempt: false };
  return { operation, faults: [...missing, ...headFaults(response)], exempt: true };
}

/** A fault's own response, with a status or a code that the contract need not declare. */
function isInjected(response: TappedResponse): boolean {
  const { operation, effects = [], status, body = '' } = response;
  const effect = effects.find((each) => each['status'] === status);
  if (!effect || !body.includes(JSON.stringify(INJECTED))) return false;
  const isDeclared = operation !== undefined && !isUndeclared(operation, response);
  return effect['code'] !== undefined || status < 400 || !isDeclared;
}

const nameOf = ({ operation, method, path, status }: ResponseRecord): string =>
  `${operation ?? `${method} ${path}`} ${status}`;

const headOf = ({ status, headers }: ResponseRecord) => ({
  status,
  headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
});

const isUndeclared = (operation: OperationId, response: ResponseRecord): boolean =>
  contractFaults(operation, headOf(response)).some((fault) =>
    fault.endsWith('declares no such status'),
  );

function headFaults(response: TappedResponse): string[] {
  const { operation } = response;
  return operation ? contractFaults(operation, headOf(response)) : faultsOutside(response);
}

function bodyFaults(response: TappedResponse): string[] {
  const { operation, method, stream, body = '' } = response;
  if (method === 'HEAD') return [];
  try {
    const all = operation ? contractFaults(operation, headOf(response), body) : [];
    const known = new Set(headFaults(response));
    return [
      ...all.filter((fault) => !known.has(fault)),
      ...problemFaults(response),
      ...(stream ? streamFaults(response) : []),
    ];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [`${nameOf(response)}: is no JSON`];
  }
}

function problemFaults(response: TappedResponse): string[] {
  const { body = '', headers, status } = response;
  if (!headers['content-type']?.startsWith('application/problem+json')) return [];
  const name = nameOf(response);
  const problem = JSON.parse(body) as { requestId?: unknown; status?: unknown };
  return [
    ...componentFaults('Problem', problem, name),
    ...(problem.requestId === headers['x-request-id']
      ? []
      : [`${name} at /requestId: is not the X-Request-Id`]),
    ...(problem.status === status ? [] : [`${name} at /status: is not the status`]),
  ];
}

/** A stream is deltas followed by exactly one end event, named after the generation's status. */
function streamFaults(response: TappedResponse): string[] {
  const { body = '', ended } = response;
  const name = nameOf(response);
  const names = [...body.matchAll(/^event: (.*)$/gm)].map(([, event]) => event);
  const wanted = (eventData(body) as { status?: string }[]).map(({ status }) =>
    status === undefined ? 'generation.delta' : `generation.${status}`,
  );
  const complete = names.slice(0, wanted.length);
  const ends = wanted.filter((event) => event !== 'generation.delta');
  const last = wanted.at(-1);
  return [
    ...(complete.join() === wanted.join() ? [] : [`${name}: the events are called ${complete}`]),
    ...(ends.length <= 1 && (ends.length === 0 || ends[0] === last)
      ? []
      : [`${name}: something follows the end event`]),
    ...(!ended || ends.length === 1 ? [] : [`${name}: no end event`]),
  ];
}

/** For responses outside all operations: the router's rejections, preflights and the public documents. */
function faultsOutside(response: TappedResponse): string[] {
  const { method, path, status, headers } = response;
  const name = nameOf(response);
  if (path.endsWith('/.well-known/jwks.json') && status === 200 && method === 'GET') {
    return jwksFaults(response);
  }
  if (method === 'OPTIONS' && status === 204) {
    return headers['access-control-allow-methods'] ? [] : [`${name}: no allowed methods`];
  }
  if (status < 400) {
    return path.endsWith('.yaml') || method === 'HEAD' ? [] : [`${name}: unknown resource`];
  }
  return status === 405 && !headers['allow'] ? [`${name}: no header Allow`] : [];
}

function jwksFaults({ body = '' }: TappedResponse): string[] {
  const { keys } = JSON.parse(body) as { keys: Record<string, unknown>[] };
  const isPrivate = keys.some((key) => ['d', 'p', 'q', 'k'].some((member) => member in key));
  return isPrivate || keys.length === 0 ? ['jwks.json: no keys, or private keys'] : [];
}
