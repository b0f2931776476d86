import { cleanText } from '../clean-text.ts';
import type { ConnectionFailureReason } from '../errors.ts';
import type { Failure } from './failure.ts';

/** A certificate that is not trusted, by the code of OpenSSL or Node, or by the message of Deno or Bun. */
const untrusted =
  /^(CERT_|(DEPTH_ZERO_)?SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|ERR_TLS_CERT|HOSTNAME_MISMATCH)|^(?!E).*(invalid peer certificate|certificate (verify failed|has expired)|self.signed)/i;

const reasons: readonly (readonly [RegExp, ConnectionFailureReason, string])[] = [
  [/UND_ERR_PRX|HTTP Tunneling|proxy/i, 'proxy', 'The proxy did not connect to'],
  [/ENOTFOUND|EAI_|dns|getaddrinfo/i, 'dns', 'The host name could not be resolved:'],
  [/conn(ection ?)?refused/i, 'refused', 'The connection was refused by'],
  [/ERR_SSL|ERR_TLS|EPROTO|tls handshake/i, 'tls', 'No TLS connection could be made to'],
  [/CONNECT_TIMEOUT|ETIMEDOUT/i, 'timeout', 'No connection could be made in time to'],
  [/(HOST|NET)DOWN|unreach/i, 'unreachable', 'There is no route to'],
  [
    /CONN(RESET|ABORTED)|EPIPE|UND_ERR_SOCKET|connection ?(reset|closed)|hang up|reset by peer/i,
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
  const certificate = faults.find((fault) => untrusted.test(textOf(fault)));
  if (certificate) {
    const fault = `${cleanText(certificate.message)}${codeOf(certificate)}`;
    const hint = `The certificate of ${host} is not trusted: ${fault}.`;
    return { code, cause, reason: 'tls', isFinal: true, hint };
  }
  const expectedPort = Number(port || (protocol === 'https:' ? 443 : 80));
  for (const fault of faults) {
    const found = reasons.find(([pattern]) => pattern.test(textOf(fault)));
    if (!found) continue;
    // Node names the port that it called. If it is not the service's port, it is the proxy's.
    const isProxy = typeof fault.port === 'number' && fault.port !== expectedPort;
    const [, reason, text] = isProxy ? (reasons[0] ?? found) : found;
    const isMock = reason === 'dns' && host.endsWith('.contentgen.test');
    const advice = isMock ? ' Only a mock has this name: pass fetch: mock.fetch.' : '';
    return { code, cause, reason, hint: `${text} ${host}${codeOf(fault)}.${advice}` };
  }
  return { code, cause, hint: `No connection to ${host}; see the error's cause.` };
}

const codeOf = ({ code }: Fault): string => (code ? ` (${cleanText(code, 64)})` : '');

const textOf = ({ code, message }: Fault): string => `${code} ${message}`;

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
