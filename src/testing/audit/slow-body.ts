import { sampleEvent } from '../sample-event.ts';
import { send, type Target } from '../send.ts';
import { signDelivery, toMessage } from '../test-request.ts';
import { type AuditCase, isAccepted, toFinding } from './audit-case.ts';

const chunkCount = 4;
const pauseMs = 50;

/** A case that sends a valid delivery whose body arrives in chunks, with pauses. */
export function slowBody(target: Target, timeoutMs: number): AuditCase {
  return {
    name: 'accepts a body that arrives slowly',
    advice: 'Read the body to its end before you verify it.',
    async run({ options, wait }) {
      const delivery = await signDelivery(
        toMessage(sampleEvent('usage_threshold'), options),
        options,
      );
      const sendSlowly = async (request: Request) => {
        const init = {
          method: request.method,
          headers: request.headers,
          body: trickle(delivery.body ?? new Uint8Array(), wait),
          duplex: 'half',
          signal: request.signal,
        } as RequestInit;
        const slow = new Request(request.url, init);
        return typeof target === 'function' ? target(slow) : fetch(slow);
      };
      const response = await send(sendSlowly, { ...delivery, body: undefined }, timeoutMs);
      return toFinding('2xx', [response], isAccepted(response) ? 'passed' : 'failed');
    },
  };
}

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
