import type { Transport } from '../domain/ports.ts';
import { redact } from '../domain/redact.ts';
import { checkCallbackUrl } from '../domain/url-policy.ts';

/**
 * Sends only to this machine. A test that forgot a receiver would otherwise resolve a name and wait for somebody else's
 * server. `warn` is called with an explanation, once for each URL.
 */
export function stayHere(network: Transport, warn: (sentence: string) => void): Transport {
  const said = new Set<string>();
  return async (request, context) => {
    const checked = checkCallbackUrl(request.url, { allowPrivate: true });
    // `network` rejects a URL that is never allowed, with its own reason.
    if (!checked.ok || checked.loopback) return network(request, context);
    const { origin, pathname } = checked.url;
    const url = redact(origin + pathname);
    const reason =
      `No receiver is set for ${url}, and in tests deliveries do not leave this machine. ` +
      `Set one with mock.receivers.set('${url}', handler), or pass deliveries: { network: true }.`;
    if (!said.has(url)) warn(reason);
    said.add(url);
    return { error: 'refused_address', reason };
  };
}
