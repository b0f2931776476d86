import { send, type Target } from '../send.ts';
import { type AuditCase, isAccepted, toFinding } from './audit-case.ts';

const chunkCount = 4;
const pauseMs = 50;

/**
 * A case that sends a valid delivery whose body arrives in pieces, with pauses. The service sends the length of a body;
 * without one (chunked) is only a warning, because simple servers do not read that.
 */
export function slowBody(target: Target, timeoutMs: number): AuditCase {
  return {
    name: 'accepts a body that arrives slowly',
    advice: 'Read the body to its end before you verify it.',
    async run(tools) {
      const sendSlowly = async (hasLength: boolean) => {
        const delivery = await tools.sign();
        const body = delivery.body ?? new Uint8Array();
        const handle = async (request: Request) => {
          const headers = new Headers(request.headers);
          if (hasLength) headers.set('content-length', String(body.length));
          const init = {
            method: request.method,
            headers,
            body: trickle(body, tools.wait),
            duplex: 'half',
            signal: request.signal,
          } as RequestInit;
          const slow = new Request(request.url, init);
          return typeof target === 'function' ? target(slow) : fetch(slow);
        };
        return send(handle, { ...delivery, body: undefined }, timeoutMs);
      };
      const response = await sendSlowly(true);
      if (!isAccepted(response)) return toFinding('2xx', [response], 'failed');
      const chunked = await sendSlowly(false);
      if (isAccepted(chunked)) return toFinding('2xx', [response, chunked], 'passed');
      return { ...toFinding('2xx', [response, chunked], 'warning'), advice: chunkedAdvice };
    },
  };
}

const chunkedAdvice =
  'Only a body without a length (Transfer-Encoding: chunked) was not accepted. The service sends a length, but a proxy in between might not.';

function trickle(
  bytes: Uint8Array,
  wait: (ms: number) => Promise<void>,
): ReadableStream<Uint8Array> {
  const size = Math.ceil(bytes.length / chunkCount);
  let offset = 0;
  return new ReadableStream({
    async pull(controller) {
      if (offset >= bytes.length) return controller.close();
      if (offset > 0) await wait(pauseMs);
      controller.enqueue(bytes.slice(offset, offset + size));
      offset += size;
    },
  });
}
