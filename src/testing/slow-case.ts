import type { AuditCase } from './audit-cases.ts';
import { sampleEvent } from './sample-event.ts';
import { send, type Target } from './send.ts';
import { signDelivery, toMessage } from './test-request.ts';

const pieces = 4;
const pauseMs = 50;

/** A good delivery whose body comes in pieces, with pauses. */
export function slowCase(target: Target, timeoutMs: number): AuditCase {
  return {
    name: 'accepts a body that comes slowly',
    advice: 'Read the body to its end before you verify it.',
    async run({ options }) {
      const whole = await signDelivery(toMessage(sampleEvent('usage_threshold')), options);
      const slowly = async (request: Request) => {
        const init = {
          method: request.method,
          headers: request.headers,
          body: trickle(whole.body ?? new Uint8Array()),
          duplex: 'half',
          signal: request.signal,
        } as RequestInit;
        const sent = new Request(request.url, init);
        return typeof target === 'function' ? target(sent) : fetch(sent);
      };
      const empty = { ...whole, body: undefined };
      const answer = await send(slowly, empty, timeoutMs);
      return {
        expected: '2xx',
        got: answer.status === 0 ? answer.body : String(answer.status),
        ok: answer.status >= 200 && answer.status < 300,
        durationMs: answer.durationMs,
      };
    },
  };
}

function trickle(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const size = Math.ceil(bytes.length / pieces);
  let offset = 0;
  return new ReadableStream({
    async pull(controller) {
      if (offset >= bytes.length) return controller.close();
      if (offset > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      controller.enqueue(bytes.slice(offset, offset + size));
      offset += size;
    },
  });
}
