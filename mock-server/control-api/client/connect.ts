import { readUpTo } from '../../api/read-body.ts';
import type { Internals } from '../../composition/internals.ts';
import type { MockServer } from '../../composition/mock-server.ts';
import {
  assertOptions,
  callback,
  isObject,
  matches,
  mustBe,
  type OptionRules,
  parseJson,
} from '../../domain/options.ts';
import { withoutTrailing } from '../../domain/redact.ts';
import {
  eachCall,
  MAX_BODY_BYTES,
  type Marks,
  mockCalls,
  pageCalls,
  type Remote,
} from '../calls.ts';

/** Options of `connectMock`. */
export interface ConnectOptions {
  /** The server's `--control-token`. @default none */
  readonly token?: string;
  /** The transport. @default the global `fetch` */
  readonly fetch?: typeof fetch;
}

const rules: OptionRules<ConnectOptions> = {
  token: mustBe('visible ASCII characters without spaces', matches(/^[\x21-\x7e]+$/)),
  fetch: callback,
};

/** The control calls, and `page` with those that only the dashboard needs. */
export type PageControl = Remote<MockServer, typeof mockCalls> &
  Remote<Pick<Internals, 'page'>, typeof pageCalls>;

export function connectPage(url: string | URL, options: ConnectOptions = {}): PageControl {
  return connect(url, options, { ...mockCalls, ...pageCalls }) as unknown as PageControl;
}

/**
 * The calls of a list as functions that make them over HTTP.
 *
 * @throws TypeError for a token that no header can carry
 */
export function connect(url: string | URL, options: ConnectOptions, marks: Marks): object {
  assertOptions('connect to the mock server', options, rules);
  const headers = {
    'content-type': 'application/json',
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
  };
  const address = `${baseOf(url)}/_control/call`;
  return eachCall(marks, (call) => async (...args: readonly unknown[]) => {
    // A redirect would take the token elsewhere.
    const init = { method: 'POST', headers, body: bodyOf(call, args), redirect: 'manual' } as const;
    const response = await (options.fetch ?? fetch)(address, init).catch((cause: unknown) => {
      const message = `Failed to reach the mock server at ${address}. Check that \`contentgen mock\` is running there.`;
      throw new MockControlError(0, 'unreachable', message, cause);
    });
    return readResult(response);
  });
}

/** @throws MockControlError `validation_failed` for an argument that JSON cannot carry */
function bodyOf(call: string, args: readonly unknown[]): string {
  return JSON.stringify({ call, args }, (name, value: unknown) => {
    const lost = typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'function';
    if (!lost) return value;
    const detail = `Failed to call ${call}: ${name} is ${String(value).slice(0, 32)}, which JSON cannot carry.`;
    throw new MockControlError(0, 'validation_failed', detail);
  });
}

/** @throws MockControlError */
async function readResult(response: Response): Promise<unknown> {
  const { ok, status } = response;
  const body = parseJson(await readText(response));
  if (!isObject(body)) throw notTheControlApi(status);
  if (ok && 'result' in body) return body['result'] ?? undefined;
  const { code, detail } = body;
  // The API of another deployment, to which this call has no credentials.
  const isForeign = status === 401 && code !== 'control_token_required';
  if (ok || typeof code !== 'string' || typeof detail !== 'string' || isForeign) {
    throw notTheControlApi(status);
  }
  throw new MockControlError(status, code, detail);
}

/** Nothing of a body that is larger than any result. */
async function readText({ body }: Response): Promise<string> {
  if (!body) return '';
  const { bytes, isWhole } = await readUpTo(body, MAX_BODY_BYTES);
  return isWhole ? new TextDecoder().decode(bytes) : '';
}

/** The server's base URL, given with or without `/v2` or `/_control`. */
function baseOf(url: string | URL): string {
  return withoutTrailing(String(url), '/').replace(/\/(?:_control|v2)$/, '');
}

/**
 * A call that the control API rejected; `code` is the problem's code. If there was no response, `status` is 0, `code`
 * is `unreachable` and `cause` says why.
 */
export class MockControlError extends Error {
  /** Always `MockControlError`. */
  override readonly name = 'MockControlError';
  /** The HTTP status of the response. */
  readonly status: number;
  /** The code of the response. */
  readonly code: string;

  constructor(status: number, code: string, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
  }
}

/** Something else is listening there, or it has another version. */
function notTheControlApi(status: number): MockControlError {
  const detail = `The control API responded with status ${status} and an unexpected body. Check that \`contentgen mock\` is running there.`;
  return new MockControlError(status, 'unexpected_response', detail);
}
