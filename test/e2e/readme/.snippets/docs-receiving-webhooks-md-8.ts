import { createWebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';
import Koa from 'koa';

const receive = toNodeHandler(
  createWebhookHandler({ secret: process.env.CONTENTGEN_WEBHOOK_SECRET! }),
);

const app = new Koa();
app.use(async (ctx, next) => {
  if (ctx.path !== '/webhooks') return next();
  ctx.respond = false; // the handler writes the response
  await receive(ctx.req, ctx.res);
});
app.listen(3000);
