import type { Transport } from '../domain/ports.ts';
import { checkCallbackUrl, type UrlPolicy, type UrlVerdict } from '../domain/url-policy.ts';
import { type ConnectionOptions, openConnections } from './connections.ts';
import { type Connections, post } from './post.ts';

/** Options of the outbound transport. `allowLoopback` can be switched off later. */
export type OutboundOptions = UrlPolicy & ConnectionOptions;

/** URLs whose check is remembered, which is a twentieth of an attempt's cost. */
const MOST_KNOWN = 10_000;

/** Sends with undici, whose requests no interception library sees. */
export function createOutbound(options: OutboundOptions = {}) {
  let opening: Promise<Connections | undefined> | undefined;
  const allowed = new Map<string, Extract<UrlVerdict, { ok: true }>>();

  function check(url: string): UrlVerdict {
    const known = allowed.get(url);
    if (known && !(known.loopback && options.allowLoopback === false)) return known;
    const target = checkCallbackUrl(url, options);
    if (allowed.size >= MOST_KNOWN) allowed.clear();
    if (target.ok) allowed.set(url, target);
    return target;
  }

  /**
   * Makes one attempt; never throws and never follows a redirect. If an idle connection turns out to have been closed
   * by the receiver, the message is sent once more, over a new connection and under the same id.
   *
   * The signal is the deadline of the whole attempt: name resolution, connection, headers and body.
   */
  const send: Transport = async (request, { signal }) => {
    const target = check(request.url);
    if (!target.ok) {
      return { error: 'refused_address', reason: `The URL is not allowed. ${target.message}` };
    }
    opening ??= openConnections(options);
    const connections = await opening;
    if (connections) return post(connections, target.url, request, signal);
    return { error: 'connection', reason: 'This platform cannot open connections.' };
  };

  return {
    send,
    /** Ends every connection; attempts in flight fail with `connection`. */
    async close(): Promise<void> {
      const connections = await opening;
      opening = undefined;
      await Promise.all([connections?.kept.destroy(), connections?.fresh.destroy()]);
    },
  };
}
