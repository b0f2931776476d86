import { createServer } from 'node:http';
import { createWebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';

const failedOnce = new Set();

async function save({ requestId, result }) {
  if (!failedOnce.has(requestId)) {
    failedOnce.add(requestId);
    throw new Error('The database is down.');
  }
  console.log(result);
}

const POST = createWebhookHandler({
  secret: () => process.env.CONTENTGEN_WEBHOOK_SECRET,
  on: { generation_completed: ({ payload }) => save(payload) },
});
const handle = toNodeHandler(POST);

createServer((request, response) => {
  if (request.url === '/webhooks') return handle(request, response);
  response.writeHead(404).end();
}).listen(Number(process.env.PORT));
