import { parseJson } from '../domain/options.ts';

export interface Advice {
  /** The receiver's own code, for instance `signature_mismatch`. */
  readonly code?: string;
  readonly hint?: string;
}

const HINTS: Readonly<Record<string, string>> = {
  signature_mismatch:
    'Does the receiver have the signing secret of this server? contentgen doctor compares them. If they match, the receiver does not verify the raw body.',
  missing_header: 'Something between here and the receiver drops the webhook- headers.',
  duplicate_header: 'Something between here and the receiver repeats or changes headers.',
  malformed_header: 'Something between here and the receiver changes the signature headers.',
  no_supported_signature: 'The receiver expects another signature scheme.',
  timestamp_too_old: "The receiver's clock and this server's differ by more than its tolerance.",
  timestamp_in_future: "The receiver's clock and this server's differ by more than its tolerance.",
  token_mismatch: 'The receiver expects a different token from the one in this registration.',
  body_already_parsed:
    'A body parser runs before the webhook route. Mount the route before it, or give the route the raw body.',
  unsupported_encoding: 'Something between here and the receiver compresses the body.',
  body_too_large: 'The body is larger than the receiver allows.',
  misconfigured: "The receiver's secret is missing or malformed; its log says which.",
  timeout: 'The receiver took longer than 15 s. Respond first and do the work later.',
};

/** What to do about an error that the server itself explains. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  refused: 'Start your server, or check the port.',
  dns: 'Check the URL.',
  timeout: 'Respond first and do the work later.',
};

const STATUS_HINTS: Readonly<Record<number, string>> = {
  401: 'The receiver requires credentials. Exempt the webhook route: the signature authenticates deliveries.',
  403: 'The receiver rejected the request. Exempt the webhook route from CSRF protection.',
  404: 'No route matches. Check the path of the URL.',
  405: 'The route does not accept POST.',
  410: 'The receiver asked for no more deliveries, so its registration is now disabled.',
  413: 'The body is larger than the receiver allows.',
};

const CODE = /^[a-z][a-z_]{2,40}$/;

/** Reads the code from a receiver's response; `error` is why there was none, and `reason` explains that in a sentence. */
export function adviceFor(facts: {
  readonly status?: number | undefined;
  readonly response?: string | undefined;
  readonly error?: string | undefined;
  readonly reason?: string | undefined;
}): Advice {
  const { status = 0, response = '', error, reason } = facts;
  if (error !== undefined && reason !== undefined) {
    return { hint: [reason, NEXT_STEPS[error]].filter(Boolean).join(' ') };
  }
  if (status >= 200 && status < 300) return {};
  const code = codeIn(response);
  const redirected = status >= 300 && status < 400;
  const hint =
    HINTS[code ?? error ?? ''] ??
    (redirected ? 'Redirects are not followed. Use the final URL.' : STATUS_HINTS[status]);
  return { ...(code === undefined ? {} : { code }), ...(hint === undefined ? {} : { hint }) };
}

/** Receivers made with this package respond with `{"code":"…"}`. */
function codeIn(response: string): string | undefined {
  const { code } = Object(parseJson(response));
  return typeof code === 'string' && CODE.test(code) ? code : undefined;
}
