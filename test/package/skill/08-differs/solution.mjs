import { ContentGen } from 'contentgen';
import { defineDeployment } from 'contentgen/deployment';
import { createWebhookHandler, createWebhookProcessor, memoryDedupe } from 'contentgen/webhooks';
import json from './deployment.json' with { type: 'json' };

const deployment = defineDeployment(json);

export function collect({ options, secret, now }) {
  const client = new ContentGen({ ...options, deployment });
  const queue = [];
  const results = new Map();
  let isDown = true;
  const processor = createWebhookProcessor({
    dedupe: memoryDedupe(),
    now,
    on: {
      generation_completed: ({ payload }) => void results.set(payload.requestId, payload.result),
    },
  });
  return {
    results,
    ask: (prompt, webhookUrl) => client.content.start({ prompt, webhookUrl }),
    POST: createWebhookHandler({
      deployment,
      secret,
      now,
      enqueue: async (_event, raw) => {
        if (isDown) {
          isDown = false;
          throw new Error('the queue is down');
        }
        queue.push(raw);
      },
    }),
    async work() {
      for (let raw = queue.shift(); raw; raw = queue.shift()) await processor.process(raw);
    },
  };
}
