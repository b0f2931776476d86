import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a message that a consumer has not finished stays hidden. */
const visibilityMs = 2000;

interface Message {
  readonly messageId: string;
  readonly body: string;
  hiddenUntil: number;
}

/** The part of SQS that its client needs to send, and of Lambda that calls a consumer with batches until all are done. */
export async function startSqs() {
  const queue = new Map<string, Message>();
  let sent = 0;
  const server = createServer(async (request, response) => {
    const { MessageBody: body } = JSON.parse(
      Buffer.concat(await Array.fromAsync(request)).toString(),
    );
    const messageId = `m${sent++}`;
    queue.set(messageId, { messageId, body, hiddenUntil: 0 });
    const MD5OfMessageBody = createHash('md5').update(body).digest('hex');
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify({ MessageId: messageId, MD5OfMessageBody }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let isOpen = true;
  const consume = async (url: string) => {
    const visible = [...queue.values()].filter(({ hiddenUntil }) => hiddenUntil < Date.now());
    const Records = visible.slice(0, 10);
    if (Records.length === 0) return void (await delay(20));
    for (const message of Records) message.hiddenUntil = Date.now() + visibilityMs;
    const called = fetch(`${url}/consume`, { method: 'POST', body: JSON.stringify({ Records }) });
    // A consumer that is killed has finished none.
    const result = await called.then((response) => response.json()).catch(() => undefined);
    if (!result) return;
    const { batchItemFailures } = result as { batchItemFailures: { itemIdentifier: string }[] };
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { messageId } of Records) if (!failed.has(messageId)) queue.delete(messageId);
  };
  return {
    env: {
      QUEUE_URL: `${endpoint}/queue`,
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
    },
    size: () => queue.size,
    /** Calls the consumer of the process at `url` until this is closed. */
    serve(url: () => string) {
      const work = async () => {
        while (isOpen) await consume(url());
      };
      for (let n = 0; n < 3; n++) void work();
    },
    close() {
      isOpen = false;
      server.closeAllConnections();
      server.close();
    },
  };
}
