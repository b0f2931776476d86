import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContentGen } from 'contentgen';
import { createWebhookHandler } from 'contentgen/webhooks';
import { toNodeHandler } from 'contentgen/webhooks/node';

const page = `<!doctype html>
<title>Stories</title>
<form><label>About <input name="about" /></label> <button>Write</button></form>
<p role="status"></p>
<script type="module">
  const status = document.querySelector('[role=status]');
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    status.textContent = 'Writing…';
    const body = new FormData(event.target).get('about');
    const { id } = await (await fetch('/stories', { method: 'POST', body })).json();
    let text;
    while (!text) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      ({ text } = await (await fetch('/stories/' + id)).json());
    }
    status.textContent = text;
  });
</script>`;

const client = new ContentGen(); // CONTENTGEN_BASE_URL, CONTENTGEN_API_KEY
const stories = new Map<string, string>();
let receive: ReturnType<typeof toNodeHandler> | undefined;

/** Created on the first delivery, because the service might start after this server. */
async function receiver(): Promise<ReturnType<typeof toNodeHandler>> {
  const { secret } = await client.webhooks.getSigningSecret();
  return toNodeHandler(
    createWebhookHandler({
      secret,
      on: {
        generation_completed: ({ payload }) =>
          void stories.set(payload.requestId ?? '', payload.result),
        generation_failed: ({ payload }) =>
          void stories.set(payload.requestId ?? '', `Sorry: ${payload.error.message}`),
      },
    }),
  );
}

const server = createServer(async (request, response) => {
  const path = request.url ?? '/';
  if (path === '/webhooks') {
    receive ??= await receiver();
    return receive(request, response);
  }
  const json = (value: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  if (path === '/stories' && request.method === 'POST') {
    const about = Buffer.concat(await Array.fromAsync(request)).toString();
    const job = await client.content.generate({
      prompt: `A story about ${about}`,
      webhookUrl: `${url()}/webhooks`,
    });
    return json({ id: job.requestId });
  }
  if (path.startsWith('/stories/')) return json({ text: stories.get(path.split('/')[2] ?? '') });
  return response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
});
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => console.log(url()));
