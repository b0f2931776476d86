import type { Queue } from 'bullmq';
import type { ContentGen } from 'contentgen';
import { createWebhookHandler } from 'contentgen/webhooks';
import { bullmqQueue } from 'contentgen/webhooks/bullmq';
import { fastifyWebhooks } from 'contentgen/webhooks/node';
import type { SharedResults } from 'contentgen/webhooks/redis';
import Fastify, { type FastifyInstance } from 'fastify';

export interface ReceiverParts {
  readonly secret: string;
  readonly queue: Queue;
  readonly results: SharedResults;
  readonly client?: ContentGen | undefined;
}

export async function createApp(parts: ReceiverParts): Promise<FastifyInstance> {
  const { secret, queue, results, client } = parts;
  const handler = createWebhookHandler({ secret, results, enqueue: bullmqQueue(queue) });
  const app = Fastify();
  await app.register(fastifyWebhooks, { path: '/webhooks', handler });
  app.get<{ Params: { id: string } }>('/stories/:id', async ({ params }, reply) => {
    if (!client) return reply.code(404).send({ code: 'no_client' });
    const job = client.content.resume(params.id);
    const { result } = await job.wait({ results, deadline: 60_000 });
    return { story: result };
  });
  return app;
}
