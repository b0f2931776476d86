import type { OutboundOutcome } from '../domain/ports.ts';
import type { TransportError } from '../domain/records.ts';

export type Failure = Extract<OutboundOutcome, { readonly error: TransportError }>;

/** A name has no address that deliveries can go to. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly error: 'dns' | 'refused_address';

  constructor(error: 'dns' | 'refused_address', reason: string) {
    super(reason);
    this.error = error;
  }
}

/** Node's codes for a certificate that OpenSSL does not accept. */
const CERTIFICATE =
  /CERT|ISSUER|LEAF_SIGNATURE|^(?:HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/;
/** Those that do not occur once the receiver's authority is trusted. */
const UNTRUSTED = /SELF_SIGNED|ISSUER_CERT_LOCALLY|LEAF_SIGNATURE/;

const CLOSED = 'The receiver closed the connection before its response was complete.';
const NOT_CONNECTED = 'The host did not accept a connection in time.';

/** Any other failure has the kind `connection`. */
const FAILURES: Readonly<Record<string, readonly [TransportError, string]>> = {
  ECONNREFUSED: ['refused', 'The connection was refused: nothing is listening there.'],
  ECONNRESET: ['reset', CLOSED],
  EPIPE: ['reset', CLOSED],
  UND_ERR_SOCKET: ['reset', CLOSED],
  ETIMEDOUT: ['timeout', NOT_CONNECTED],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', NOT_CONNECTED],
};

export function failureOf(thrown: unknown): Failure {
  const { name, message, error } = Object(thrown);
  if (thrown instanceof AddressError) return { error, reason: message };
  const code = codeOf(thrown);
  const failed = (sentence: string): Failure => ({ error: 'connection', reason: sentence });
  if (message === 'bad upgrade') return failed('The receiver switched to another protocol.');
  const [kind, reason] = FAILURES[code] ?? [];
  if (kind && reason) return { error: kind, reason };
  if (CERTIFICATE.test(code)) return certificateFailure(code);
  if (name === 'HTTPParserError') return failed('The response is not valid HTTP/1.1.');
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return failed(
      `The receiver does not speak TLS as expected (${code}). Check that the URL's scheme is right.`,
    );
  return failed(`The connection failed${code ? ` (${code})` : ''}.`);
}

function certificateFailure(code: string): Failure {
  const isForAnother = code === 'ERR_TLS_CERT_ALTNAME_INVALID';
  const what = isForAnother ? 'is for another host name' : `was not accepted (${code})`;
  const advice = UNTRUSTED.test(code)
    ? ' To trust it, pass its authority to the reference server with --ca.'
    : '';
  return { error: 'certificate', reason: `The receiver's certificate ${what}.${advice}` };
}

/** The code of an error; if every address of a name failed, that of the first one. */
function codeOf(error: unknown): string {
  const { code, errors } = Object(error) as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  return errors?.length ? codeOf(errors[0]) : '';
}

const TIMEOUTS = {
  connecting: 'The name server or the host did not respond in time.',
  waiting: 'The receiver accepted the message but did not respond in time.',
  reading: 'The receiver began to respond but did not finish its response in time.',
} as const;

export const timedOut = (phase: keyof typeof TIMEOUTS): Failure => ({
  error: 'timeout',
  reason: TIMEOUTS[phase],
});
