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

interface Access {
  readonly controlToken?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** Sends a call and returns the parsed response; undefined if it has no body. */
export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/**
 * Calls the control API at `base`.
 *
 * @throws TypeError for a token that no header can carry
 */
export function createCall(base: string, { controlToken, fetch: customFetch }: Access): Call {
  const access = controlHeaders(controlToken);
  return async <T>(method: string, path: string, body?: unknown) => {
    const send = customFetch ?? fetch;
    const response = await send(base + path, {
      method,
      ...(body === undefined
        ? { headers: access }
        : {
            headers: { ...access, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
    }).catch((cause: unknown) => {
      const message = `Failed to reach the mock server at ${base}. Check that \`contentgen mock\` is running there.`;
      throw new MockControlError(0, 'unreachable', message, cause);
    });
    const text = await response.text();
    if (!response.ok) throw toControlError(response, text);
    if (response.status === 204) return undefined as T;
    const value = parseObject(text);
    if (value === undefined) throw notTheControlApi(response);
    return value as T;
  };
}

/** The control API of a server; `url` is its base URL, with or without `/v2` or `/_control`. */
export function controlUrl(url: string | URL): string {
  const root = String(url)
    .replace(/\/+$/, '')
    .replace(/\/(?:_control|v2)$/, '');
  return `${root}/_control`;
}

/**
 * The header that authenticates to a server with a control token.
 *
 * @throws TypeError for a token that no header can carry
 */
function controlHeaders(controlToken: string | undefined): Record<string, string> {
  if (controlToken === undefined) return {};
  if (typeof controlToken === 'string' && /^[\x21-\x7e]+$/.test(controlToken)) {
    return { authorization: `Bearer ${controlToken}` };
  }
  throw new TypeError(
    'Failed to connect: controlToken must be visible ASCII characters without spaces.',
  );
}

/** The error for a response with an error status. */
function toControlError({ status }: Response, text: string): MockControlError {
  const { code, detail } = parseObject(text) ?? {};
  // The API of another deployment, to which this call has no credentials.
  const isForeign = status === 401 && code !== 'control_token_required';
  if (typeof code !== 'string' || typeof detail !== 'string' || isForeign) {
    return notTheControlApi({ status });
  }
  return new MockControlError(status, code, detail);
}

/** Something else is listening there, or it has another version. */
export function notTheControlApi({ status = 200 }: { readonly status?: number }): MockControlError {
  const detail = `The control API responded with status ${status} and an unexpected body. Check that \`contentgen mock\` is running there.`;
  return new MockControlError(status, 'unexpected_response', detail);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Object(value) === value ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
