import { componentFaults, contractFaults, operationOf } from '../contract.ts';

/** A response of a mock, as its test saw it. */
export interface RecordedResponse {
  readonly method: string;
  readonly path: string;
  /** The operation at this path, if the deployment has one there. */
  readonly operation?: ReturnType<typeof operationOf>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if it is a stream. */
  readonly body?: string;
  /** The injected faults when the request arrived. */
  readonly effects: readonly {
    readonly operation?: string | undefined;
    readonly effect: Readonly<Record<string, unknown>>;
  }[];
  /** The test that was running. */
  readonly of: string;
}

const INJECTED = 'This response was injected by a fault.';
const REQUIRED_HEADERS = ['x-request-id', 'api-version', 'access-control-allow-origin'];
/** Effects that damage a body on purpose. */
const DAMAGES = ['truncate', 'stall', 'malformed'];

/** Every difference between a response and the contract that no injected fault excuses. */
export function checkResponse(response: RecordedResponse): string[] {
  const { method, path, status, headers } = response;
  const operation = operationOf(method, path) ?? response.operation;
  const at = `${operation ?? `${method} ${path}`} ${status}`;
  const missing = REQUIRED_HEADERS.filter((name) => headers[name] === undefined).map(
    (name) => `${at}: no header ${name}`,
  );
  const effects = response.effects
    .filter((fault) => operation && (fault.operation === operation || fault.operation === '*'))
    .map(({ effect }) => effect);
  const body = effects.some((effect) => DAMAGES.some((damage) => damage in effect))
    ? undefined
    : response.body;
  const isInjected =
    effects.some((effect) => effect['status'] === status) &&
    response.body?.includes(JSON.stringify(INJECTED));
  if (isInjected) return missing;
  if (!operation) return [...missing, ...faultsOutside(response, at)];
  const head = { status, headers: { get: (name: string) => headers[name.toLowerCase()] ?? null } };
  try {
    return [
      ...missing,
      ...contractFaults(operation, head, method === 'HEAD' ? undefined : body),
      ...(body ? problemFaults(response, body, at) : []),
    ];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [...missing, `${at}: is not JSON`];
  }
}

function problemFaults({ headers, status }: RecordedResponse, body: string, at: string): string[] {
  if (!headers['content-type']?.startsWith('application/problem+json')) return [];
  const problem = JSON.parse(body) as { requestId?: unknown; status?: unknown };
  return [
    ...componentFaults('Problem', problem, at),
    ...(problem.requestId === headers['x-request-id']
      ? []
      : [`${at} at /requestId: is not the X-Request-Id`]),
    ...(problem.status === status ? [] : [`${at} at /status: is not the status`]),
  ];
}

/** For responses outside all operations: the router's rejections, preflights and the public documents. */
function faultsOutside({ method, path, status, headers, body }: RecordedResponse, at: string) {
  if (method === 'OPTIONS' && status === 204) {
    return headers['access-control-allow-methods'] ? [] : [`${at}: no allowed methods`];
  }
  if (path.endsWith('/.well-known/jwks.json') && method === 'GET' && status === 200) {
    const { keys } = JSON.parse(body ?? '') as { keys: object[] };
    const isPublic = keys.every((key) => !['d', 'p', 'q', 'k'].some((member) => member in key));
    return isPublic && keys.length > 0 ? [] : [`${at}: no keys, or private keys`];
  }
  if (status < 400 && method !== 'HEAD' && !path.endsWith('.yaml'))
    return [`${at}: unknown resource`];
  return status === 405 && !headers['allow'] ? [`${at}: no header Allow`] : [];
}
