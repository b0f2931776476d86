import {
  createWebhookHandler,
  type Receiver,
  signWebhook,
  verifyWebhook,
} from '../../src/webhooks/index.ts';
import { inTurns, median } from '../turns.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

interface Signed {
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
}

/** CPU µs per delivery of 300 bytes, for verification only and for a handler with memoryDedupe. */
export async function receivingCosts(deliveries: number): Promise<Record<string, number>> {
  const body = Buffer.from(
    JSON.stringify({ event: 'usage_threshold', organization: 'x'.repeat(240) }),
  );
  const signed: Signed[] = [];
  for (let n = 0; n < deliveries; n++)
    signed.push({ body, headers: await signWebhook({ id: `msg_${n}`, body, secret }) });

  const receive = (receiver: Receiver) => (call: number) => {
    const { headers } = signed[call] as Signed;
    return receiver.receive({
      method: 'POST',
      url: '/hooks',
      headers: new Headers(headers),
      readBody: async () => body,
    });
  };
  const logger = { ...console, diagnose: false };
  const handler = () => createWebhookHandler({ secret, logger, on: { usage_threshold: () => {} } });
  const known = handler();
  for (let call = 0; call < deliveries; call += 1) await receive(known)(call);
  const costs = await inTurns(
    {
      'verifyWebhook only': () => (call) =>
        verifyWebhook({ ...(signed[call] as Signed), secret, logger }),
      'handler, new deliveries': () => receive(handler()),
      'handler, duplicates': () => receive(known),
      'handler, new deliveries as Request and Response': () => {
        const post = handler();
        const requests = signed.map(({ headers }) => request(headers, body));
        return (call) => post(requests[call] as Request);
      },
    },
    { rounds: 9, calls: deliveries, warmUp: 3 },
  );
  return Object.fromEntries(Object.entries(costs).map(([name, all]) => [name, median(all)]));
}

function request(headers: Record<string, string>, body: Uint8Array<ArrayBuffer>): Request {
  return new Request('https://app.example/hooks', { method: 'POST', headers, body });
}
