import { parseJson } from '../options/values.ts';

const dropsHeaders = 'Something between here and the receiver drops or changes headers.';
const clocksDiffer = "The receiver's clock and this one differ by more than its tolerance.";

/** Advice for the sender, by the error code of a receiver made with this package. */
const byCode: ReadonlyMap<string | undefined, string> = new Map([
  [
    'signature_mismatch',
    'The receiver has another secret, or does not verify the raw body. Callbacks are signed with the secret of the project (contentgen doctor compares it), events with that of their registration, an audit with the secret that it is given.',
  ],
  ['missing_header', `${dropsHeaders} Or the receiver expects another signature scheme.`],
  ['duplicate_header', dropsHeaders],
  ['malformed_header', dropsHeaders],
  ['no_supported_signature', 'The receiver expects another signature scheme.'],
  ['timestamp_too_old', clocksDiffer],
  ['timestamp_in_future', clocksDiffer],
  ['token_mismatch', 'The receiver expects another token than that of its registration.'],
  [
    'body_already_parsed',
    'A body parser runs before the webhook route. Mount the route before it, or give the route the raw body.',
  ],
  ['unsupported_encoding', 'Something between here and the receiver compresses the body.'],
  ['misconfigured', "The receiver's secret is missing or malformed; its log says which."],
]);

const byStatus: ReadonlyMap<number, string> = new Map([
  [
    401,
    'The receiver has another secret, or its route requires credentials. Exempt the route: the signature authenticates deliveries.',
  ],
  [403, 'The receiver rejected the request. Exempt the webhook route from CSRF protection.'],
  [404, 'No route matches. Check the path of the URL.'],
  [405, 'The route does not accept POST.'],
  [410, 'The receiver asked for no more deliveries: a service disables its registration.'],
  [413, 'The body is larger than the receiver allows.'],
]);

/** The code in the response of a receiver made with this package: `{"code":"…"}`. */
export function codeIn(body: string): string | undefined {
  const { code } = Object(parseJson(body));
  return typeof code === 'string' && /^[a-z][a-z_]{2,40}$/.test(code) ? code : undefined;
}

/** What to do about a response that refused a delivery; `undefined` if it says nothing. */
export function rejectionAdvice(status: number, code?: string): string | undefined {
  const isRedirect = status >= 300 && status < 400;
  return (
    byCode.get(code) ??
    (isRedirect ? 'Redirects are not followed. Use the final URL.' : byStatus.get(status))
  );
}
