import type { MockServer } from '../../mock-server/index.ts';
import { ContentGen } from '../../src/index.ts';
import type { Narrator } from './narrator.ts';
import { startReceiver } from './receiver.ts';

interface Stage {
  mock: MockServer;
  url: string;
  tell: Narrator;
}

/** Plays every step and throws at the first one that does not come out as the contract says. */
export async function playStory({ mock, url, tell }: Stage): Promise<void> {
  const admin = new ContentGen({ baseUrl: url, apiKey: mock.adminKey });
  const hook = { secret: '' };
  const receiver = await startReceiver({
    callbackSecret: mock.signingSecret,
    hookSecret: () => hook.secret,
  });
  try {
    tell.fact('receiver', receiver.url);

    tell.step('Make an API key');
    tell.sent('POST /api/auth/api-keys  { name: "story", role: "member" }');
    const created = await admin.apiKeys.create({ name: 'story', role: 'member' });
    tell.got(`201  ${created.id}  ${created.key}`);
    tell.checked('shown this once; the server keeps only its hash');
    const client = new ContentGen({ baseUrl: url, apiKey: created.key });

    tell.step('Generate content and wait for it');
    tell.sent('POST /api/ai/content/generate  { prompt: "A haiku about TCP" }');
    const done = await client.content.generate({ prompt: 'A haiku about TCP' });
    tell.got(`200  ${done.requestId}  ${done.model}  ${done.usage.totalTokens} tokens`);
    tell.line(`        “${shorten(done.result)}”`);

    tell.step('Generate asynchronously');
    tell.sent(`POST /api/ai/content/generate  { prompt, webhookUrl: "${receiver.url}/callbacks" }`);
    const job = await client.content.generate({
      prompt: 'Three facts about the sea',
      webhookUrl: `${receiver.url}/callbacks`,
    });
    tell.got(`202  { status: "${job.status}", requestId: "${job.requestId}" }`);

    tell.step('Receive the signed callback');
    const result = await job.wait({ results: receiver.callbacks, deadline: 30_000 });
    const callback = receiver.lastReceived('/callbacks');
    tell.got(`POST /callbacks  webhook-id: ${callback.headers['webhook-id']}`);
    tell.got(`                 webhook-timestamp: ${callback.headers['webhook-timestamp']}`);
    tell.got(`                 X-Service-Signature: ${callback.headers['x-service-signature']}`);
    tell.checked(`signature holds; answered ${callback.status}; result of ${result.requestId}`);
    tell.line(`        “${shorten(result.result)}”`);

    tell.step('Refuse a forged copy of it');
    const forged = await receiver.replayTampered(callback);
    if (forged.status !== 400) throw new Error(`A forged callback was answered ${forged.status}`);
    tell.sent('the same headers over a body with one byte changed');
    tell.checked(`refused with ${forged.status} ${forged.code}`);

    tell.step('Be told of usage');
    tell.sent(`POST /api/webhooks  { event: "usage_threshold", url: "${receiver.url}/events" }`);
    const registered = await admin.webhooks.create({
      event: 'usage_threshold',
      url: `${receiver.url}/events`,
      threshold: 0.00001,
    });
    hook.secret = registered.secret;
    tell.got(`201  ${registered.id}`);
    await client.content.generate({ prompt: 'One more, to pass the threshold' });
    const usage = await receiver.event('usage_threshold');
    tell.got(`POST /events  usage ${usage.payload.usage} of threshold ${usage.payload.threshold}`);
    tell.checked(`signature holds; event ${usage.id}`);

    tell.step('Be told of an invoice');
    const invoiceHook = await admin.webhooks.create({
      event: 'invoice_paid',
      url: `${receiver.url}/events`,
      secret: registered.secret,
    });
    tell.got(`201  ${invoiceHook.id}`);
    await mock.trigger('invoice_paid', { invoice: { amountDue: 4200 } });
    const paid = await receiver.event('invoice_paid');
    const { amountPaid, currency, number } = paid.payload.invoice;
    tell.got(`POST /events  invoice ${number}: ${(amountPaid / 100).toFixed(2)} ${currency}`);
    tell.checked(`signature holds; event ${paid.id}`);

    const { used, quota, requests } = await client.usage.get();
    tell.title(`${requests} generations, ${used} of ${quota} tokens used: the story is complete.`);
  } finally {
    await receiver.close();
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
