import { cleanText } from '../clean-text.ts';
import type { ConnectionFailureReason } from '../errors.ts';
import type { Failure } from './failure.ts';

/** A certificate that is not trusted, unless it is the service that does not trust ours. */
const untrusted = /^(?!E(PROTO|RR_SSL)).*(cert|LEAF_SIGNATURE|HOSTNAME_MISMATCH)/is;

const proxyReason = ['proxy', 'the proxy did not connect'] as const;

/** What the codes of Node and undici, or the messages of Deno and Bun, say about a failed connection. */
const reasons: readonly (readonly [RegExp, ConnectionFailureReason, string])[] = [
  [/UND_ERR_PRX|tunneling|proxy/i, ...proxyReason],
  [/ENOTFOUND|EAI_|dns|getaddrinfo/i, 'dns', 'the host name could not be resolved'],
  [/conn(ection ?)?refused/i, 'refused', 'it was refused'],
  [/ERR_SSL|ERR_TLS|EPROTO|tls handshake/i, 'tls', 'no TLS connection could be made'],
  [/TIMEOUT|TIMEDOUT/i, 'timeout', 'it timed out'],
  [/(HOST|NET)DOWN|unreach/i, 'unreachable', 'there is no route'],
  [
    /CONN(RESET|ABORTED)|EPIPE|UND_ERR_SOCKET|connection ?(reset|closed)|hang up/i,
    'reset',
    'it was closed',
  ],
  [/HTTP\/1\.1 protocol|^Z_|ERR__ERROR/, 'corrupt', 'the response cannot be read'],
];

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly port: unknown;
}

export function connectionFailure(cause: unknown, url: string): Failure {
  // Not by `URL`: React Native's own throws for each of these.
  const [, scheme, host = '', hostname = '', port = scheme === 'https' ? 443 : 80] =
    /^(\w+):\/\/(([^/?#]*?)(?::(\d+))?)(?=[/?#]|$)/.exec(url) ?? [];
  const failure = { code: 'connection_failed', cause } as const;
  const failed = `The connection to ${host} failed`;
  for (const { code, message, port: called } of faultsOf(cause)) {
    // The message may name the host, and a host can be called proxy.example.com.
    const text = `${code} ${message.replaceAll(hostname, '')}`;
    const codeText = code && ` (${cleanText(code, 64)})`;
    if (untrusted.test(text)) {
      const fault = `${cleanText(message)}${codeText}`;
      const hint = `The certificate of ${host} is not trusted: ${fault}.`;
      return { ...failure, reason: 'tls', isFinal: true, hint };
    }
    if (/^UND_ERR_(CLOSED|DESTROYED)$/.test(code)) {
      return { ...failure, isFinal: true, hint: `${failed}: this fetch was closed.` };
    }
    const found = reasons.find(([pattern]) => pattern.test(text));
    if (!found) continue;
    // Node names the port that it called. If it is not the service's port, it is the proxy's.
    const isProxy = typeof called === 'number' && called !== Number(port);
    const [reason, words] = isProxy ? proxyReason : [found[1], found[2]];
    const said = reason === 'corrupt' ? `: ${cleanText(message)}` : '';
    const hint = `${failed}: ${words}${said}${codeText}.`;
    return { ...failure, reason, hint };
  }
  return { ...failure, hint: `${failed}; see the error's cause.` };
}

export function bodyFailure(cause?: unknown): Failure {
  for (const { code, message } of faultsOf(cause)) {
    const found = reasons.find(([pattern]) => pattern.test(`${code} ${message}`));
    if (!found || found[1] === 'reset') continue;
    const [, reason, words] = found;
    const codeText = code && ` (${cleanText(code, 64)})`;
    const hint = `The response broke off: ${words}: ${cleanText(message)}${codeText}.`;
    return { code: 'connection_failed', reason, cause, hint };
  }
  const hint = 'The connection closed before the whole response arrived.';
  return { code: 'connection_failed', reason: 'reset', cause, hint };
}

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
