import {
  createWebhookHandler,
  type Receiver,
  signWebhook,
  verifyWebhook,
} from '../../src/webhooks/index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const rounds = 9;

interface Signed {
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
}
/** Creates the work of one round; called before each round and not measured. */
type Round = () => (delivery: Signed) => unknown;

/** CPU µs per delivery of 300 bytes, for verification only and for a handler with memoryDedupe. */
export async function receivingCosts(deliveries: number): Promise<Record<string, number>> {
  const body = Buffer.from(
    JSON.stringify({ event: 'usage_threshold', organization: 'x'.repeat(240) }),
  );
  const signed: Signed[] = [];
  for (let n = 0; n < deliveries; n++)
    signed.push({ body, headers: await signWebhook({ id: `msg_${n}`, body, secret }) });

  const receive = (receiver: Receiver) => (delivery: Signed) =>
    receiver.receive({
      method: 'POST',
      url: '/hooks',
      headers: new Headers(delivery.headers),
      readBody: async () => delivery.body,
    });
  const handler = () =>
    createWebhookHandler({
      secret,
      logger: { ...console, diagnose: false },
      on: { usage_threshold: () => {} },
    });
  const known = handler();
  for (const delivery of signed) await receive(known)(delivery);
  const kinds: Record<string, Round> = {
    'verifyWebhook only': () => (delivery) =>
      verifyWebhook({ ...delivery, secret, logger: { ...console, diagnose: false } }),
    'handler, new deliveries': () => receive(handler()),
    'handler, duplicates': () => receive(known),
    'handler, new deliveries as Request and Response': () => {
      const post = handler();
      const requests = signed.map(({ headers }) => request(headers, body));
      return () => post(requests.pop() as Request);
    },
  };
  const found: Record<string, number[]> = {};
  for (let round = -3; round < rounds; round++)
    for (const [name, prepare] of Object.entries(kinds)) {
      const run = prepare();
      const start = process.cpuUsage();
      for (const delivery of signed) await run(delivery);
      const { user, system } = process.cpuUsage(start);
      found[name] ??= [];
      if (round >= 0) found[name].push((user + system) / deliveries);
    }
  return Object.fromEntries(
    Object.entries(found).map(([name, all]) => [
      name,
      all.sort((a, b) => a - b)[rounds >> 1] as number,
    ]),
  );
}

function request(headers: Record<string, string>, body: Uint8Array<ArrayBuffer>): Request {
  return new Request('https://app.example/hooks', { method: 'POST', headers, body });
}
