import type { ContentGen } from 'contentgen';
import { createWebhookHandler } from 'contentgen/webhooks';
import { graphileQueue } from 'contentgen/webhooks/graphile-worker';
import { toNodeHandler } from 'contentgen/webhooks/node';
import type { SharedResults } from 'contentgen/webhooks/postgres';
import express, { type Express } from 'express';
import type { WorkerUtils } from 'graphile-worker';

export interface ReceiverParts {
  readonly secret: string;
  readonly workerUtils: WorkerUtils;
  readonly results: SharedResults;
  readonly client?: ContentGen | undefined;
}

export function createApp({ secret, workerUtils, results, client }: ReceiverParts): Express {
  const handler = createWebhookHandler({
    secret,
    results,
    enqueue: graphileQueue(workerUtils, {
      task: 'contentgen',
      serialBy: ({ payload }) => payload.metadata?.['customer'],
    }),
  });

  const app = express();
  app.all('/webhooks', toNodeHandler(handler)); // before any body parser
  app.get('/stories/:id', async (request, response) => {
    if (!client) return void response.status(404).json({ code: 'no_client' });
    const job = client.content.resume(request.params.id);
    const { result } = await job.wait({ results, deadline: 60_000 });
    response.json({ story: result });
  });
  return app;
}
