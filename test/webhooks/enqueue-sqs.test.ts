import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { createWebhookProcessor, memoryDedupe } from 'contentgen/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { receiver } from './queue-support.ts';
import { now, recorder } from './support.ts';

/** The part of SQS that its client needs here: a queue that redelivers messages until they are deleted. */
async function standIn() {
  const queue = new Map<string, string>();
  let isDown = false;
  const actions: Record<string, (input: Record<string, string>) => object> = {
    SendMessage: ({ MessageBody = '' }) => {
      const MessageId = `m${queue.size}`;
      queue.set(MessageId, MessageBody);
      return { MessageId, MD5OfMessageBody: md5(MessageBody) };
    },
    ReceiveMessage: () => ({
      Messages: [...queue].map(([MessageId, Body]) => ({
        MessageId,
        ReceiptHandle: MessageId,
        Body,
        MD5OfBody: md5(Body),
      })),
    }),
    DeleteMessage: ({ ReceiptHandle = '' }) => ({ deleted: queue.delete(ReceiptHandle) }),
  };
  const server = createServer(async (request, response) => {
    const input = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    const [, action = ''] = String(request.headers['x-amz-target']).split('.');
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    if (isDown) return void response.writeHead(503).end('{}');
    response.end(JSON.stringify(actions[action]?.(input)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    queue,
    fail: (value: boolean) => {
      isDown = value;
    },
  };
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

test('deliveries pass through the Amazon SQS client, and each takes effect once', async () => {
  const service = await standIn();
  const sqs = new SQSClient({
    endpoint: service.endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    maxAttempts: 1,
  });
  onTestFinished(() => sqs.destroy());
  const QueueUrl = `${service.endpoint}/queue`;

  const { deliver } = receiver((_event, raw) =>
    sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(raw) })),
  );
  for (const id of ['msg_1', 'msg_1', 'msg_2']) expect(await deliver(id)).toBe(200);
  service.fail(true);
  expect(await deliver('msg_3')).toBe(503);
  service.fail(false);

  const seen: string[] = [];
  let fails = true;
  const processor = createWebhookProcessor({
    dedupe: memoryDedupe({ now }),
    logger: recorder(),
    on: {
      usage_threshold: ({ id }) => {
        if (id === 'msg_2' && fails) throw new Error('the first time');
        seen.push(id);
      },
    },
  });
  const poll = async () => {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    for (const { Body = '', ReceiptHandle } of Messages) {
      try {
        await processor.process(Body);
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      } catch {
        // It is delivered again once its visibility timeout has passed.
      }
    }
  };
  await poll();
  expect(seen).toEqual(['msg_1']);
  fails = false;
  await poll();
  expect(seen).toEqual(['msg_1', 'msg_2']);
  expect(service.queue.size).toBe(0);
});
