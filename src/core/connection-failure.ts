import { cleanText } from '../clean-text.ts';
import type { ConnectionFailureReason } from '../errors.ts';
import type { Failure } from './failure.ts';

/** What is wrong with a certificate, by the code of OpenSSL or Node. */
const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  CERT_REJECTED: 'it was rejected',
  CERT_UNTRUSTED: 'its issuer is not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain contains a self-signed certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
  HOSTNAME_MISMATCH: 'it is for another host name',
};

/** The same in Deno and Bun, whose errors have other codes or none. */
const untrusted = /invalid peer certificate|certificate (verify failed|has expired)|self.signed/i;

const reasons: readonly (readonly [RegExp, ConnectionFailureReason, string])[] = [
  [/^UND_ERR_PRX|HTTP Tunneling|proxy/i, 'proxy', 'The proxy did not connect to'],
  [/ENOTFOUND|EAI_|dns error|DNS|getaddrinfo/i, 'dns', 'The host name could not be resolved:'],
  [/ECONNREFUSED|Connection ?Refused/i, 'refused', 'The connection was refused by'],
  [/ERR_SSL|ERR_TLS|EPROTO|tls handshake/i, 'tls', 'No TLS connection could be made to'],
  [/UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT/i, 'timeout', 'No connection could be made in time to'],
  [/E(HOST|NET)(UNREACH|DOWN)|unreachable/i, 'unreachable', 'There is no route to'],
  [
    /ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|Connection ?(Reset|Closed)|socket hang up|connection closed|reset by peer/i,
    'reset',
    'The connection was closed by',
  ],
];

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly port: unknown;
}

/** The failure of a `fetch` that rejected: what went wrong, as far as the runtime says. Browsers say nothing. */
export function connectionFailure(cause: unknown, url: string): Failure {
  const code = 'connection_failed';
  const { host, port, protocol } = new URL(url);
  const faults = faultsOf(cause);
  const certificate = faults.find((fault) => certificateFaults[fault.code] || isUntrusted(fault));
  if (certificate) {
    const fault = certificateFaults[certificate.code] ?? 'it was rejected';
    const hint = `The certificate of ${host} is not trusted: ${fault}${codeOf(certificate)}.`;
    return { code, cause, reason: 'tls', isFinal: true, hint };
  }
  const expectedPort = Number(port || (protocol === 'https:' ? 443 : 80));
  for (const fault of faults) {
    const found = reasons.find(([pattern]) => pattern.test(`${fault.code} ${fault.message}`));
    if (!found) continue;
    // Node names the port that it called. Another one than the service's is a proxy's.
    const isProxy = typeof fault.port === 'number' && fault.port !== expectedPort;
    const [, reason, text] = isProxy ? (reasons[0] ?? found) : found;
    return { code, cause, reason, hint: `${text} ${host}${codeOf(fault)}.` };
  }
  return { code, cause, hint: `No connection to ${host}; see the error's cause.` };
}

const codeOf = ({ code }: Fault): string => (code ? ` (${cleanText(code, 64)})` : '');

const isUntrusted = ({ code, message }: Fault): boolean =>
  !code.startsWith('E') && untrusted.test(`${code} ${message}`);

/** An error and what caused it, the most specific first: the chain of causes, and the attempts of an `AggregateError`. */
function faultsOf(cause: unknown, depth = 0): Fault[] {
  if (typeof cause !== 'object' || cause === null || depth > 5) return [];
  const { code, message, port, errors, cause: deeper } = cause as Record<string, unknown>;
  const inner = [deeper, ...(Array.isArray(errors) ? errors.slice(0, 4) : [])];
  return [
    ...inner.flatMap((error) => faultsOf(error, depth + 1)),
    {
      code: typeof code === 'string' ? code : '',
      message: typeof message === 'string' ? message.slice(0, 500) : '',
      port,
    },
  ];
}
