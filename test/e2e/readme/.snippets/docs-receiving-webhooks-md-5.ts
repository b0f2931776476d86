import { createWebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import express from 'express';

const handler = createWebhookHandler({ secret: process.env.CONTENTGEN_WEBHOOK_SECRET! });

const app = express();
app.post('/webhooks', toNodeHandler(handler));
app.use(express.json()); // for all other routes
app.listen(3000);
