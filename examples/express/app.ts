import { createWebhookHandler, PermanentError } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import express, { type Express } from 'express';

/** The stored results. A real application uses a database. */
export const stories = new Map<string, string>();

export function createApp(secret: string): Express {
  const handler = createWebhookHandler({
    secret,
    on: {
      generation_completed: ({ payload }) => {
        // A permanent error is acknowledged: a retry would not help.
        if (!payload.requestId) throw new PermanentError('The result has no requestId.');
        stories.set(payload.requestId, payload.result);
      },
      generation_failed: ({ payload }) => console.warn('failed:', payload.error.code),
      usage_threshold: ({ payload }) => console.warn('used:', payload.usage, payload.threshold),
    },
    onDelivery: ({ status, outcome, durationMs }) =>
      console.log(`delivery ${status} ${outcome} ${durationMs.toFixed(1)} ms`),
  });

  const app = express();
  app.all('/webhooks', toNodeHandler(handler)); // before any body parser
  app.use(express.json());
  app.get('/stories/:id', (request, response) => {
    const story = stories.get(request.params.id);
    if (story === undefined) return void response.status(404).json({ code: 'not_found' });
    response.json({ story });
  });
  return app;
}
