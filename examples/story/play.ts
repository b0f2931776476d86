import type { MockServer } from '../../mock-server/index.ts';
import { ContentGen } from '../../src/index.ts';
import type { Narrator } from './narrator.ts';
import { sendTampered, startReceiver } from './receiver.ts';

interface Stage {
  mock: Pick<MockServer, 'adminKey' | 'signingSecret' | 'trigger'>;
  url: string;
  narrator: Narrator;
}

/** Plays every step. Throws at the first result that does not match the contract. */
export async function playStory({ mock, url, narrator: say }: Stage): Promise<void> {
  const admin = new ContentGen({ baseUrl: url, apiKey: mock.adminKey });
  const hook = { secret: '' };
  const receiver = await startReceiver({
    callbackSecret: mock.signingSecret,
    hookSecret: () => hook.secret,
  });
  try {
    say.fact('receiver', receiver.url);

    say.step('Create an API key');
    say.sent('POST /api/auth/api-keys  { name: "story", role: "member" }');
    const created = await admin.apiKeys.create({ name: 'story', role: 'member' });
    say.got(`201  ${created.id}  ${created.key}`);
    say.checked('shown only once; the server stores its hash');
    const client = new ContentGen({ baseUrl: url, apiKey: created.key });

    say.step('Generate content and wait for it');
    say.sent('POST /api/ai/content/generate  { prompt: "A haiku about TCP" }');
    const done = await client.content.generate({ prompt: 'A haiku about TCP' });
    say.got(`200  ${done.requestId}  ${done.model}  ${done.usage.totalTokens} tokens`);
    say.line(`        “${shorten(done.result)}”`);

    say.step('Generate in the background');
    say.sent(`POST /api/ai/content/generate  { prompt, webhookUrl: "${receiver.url}/callbacks" }`);
    const job = await client.content.generate({
      prompt: 'Three facts about the sea',
      webhookUrl: `${receiver.url}/callbacks`,
    });
    say.got(`202  { status: "${job.status}", requestId: "${job.requestId}" }`);

    say.step('Receive the signed callback');
    const result = await job.wait({ results: receiver.callbacks, deadline: 30_000 });
    const callback = await receiver.firstDelivery('/callbacks');
    say.got(`POST /callbacks  webhook-id: ${callback.headers['webhook-id']}`);
    say.got(`                 webhook-timestamp: ${callback.headers['webhook-timestamp']}`);
    say.got(`                 X-Service-Signature: ${callback.headers['x-service-signature']}`);
    say.checked(`signature valid; status ${callback.status}; result of ${result.requestId}`);
    say.line(`        “${shorten(result.result)}”`);

    say.step('Reject a forged copy of it');
    say.sent('the same headers with one byte of the body changed');
    const forged = await sendTampered(receiver.url, callback);
    if (forged.status !== 400) {
      throw new Error(`The forged callback got status ${forged.status}, not 400.`);
    }
    say.checked(`rejected with ${forged.status} ${forged.code}`);

    say.step('Receive a usage notification');
    say.sent(`POST /api/webhooks  { event: "usage_threshold", url: "${receiver.url}/events" }`);
    const registered = await admin.webhooks.create({
      event: 'usage_threshold',
      url: `${receiver.url}/events`,
      threshold: 0.00001,
    });
    hook.secret = registered.secret;
    say.got(`201  ${registered.id}`);
    await client.content.generate({ prompt: 'One more, to reach the threshold' });
    const usage = await receiver.event('usage_threshold');
    say.got(`POST /events  usage ${usage.payload.usage} of threshold ${usage.payload.threshold}`);
    say.checked(`signature valid; event ${usage.id}`);

    say.step('Receive an invoice notification');
    const invoiceHook = await admin.webhooks.create({
      event: 'invoice_paid',
      url: `${receiver.url}/events`,
      secret: registered.secret,
    });
    say.got(`201  ${invoiceHook.id}`);
    await mock.trigger('invoice_paid', { invoice: { amountDue: 4200 } });
    const paid = await receiver.event('invoice_paid');
    const { amountPaid, currency, number } = paid.payload.invoice;
    say.got(`POST /events  invoice ${number}: ${(amountPaid / 100).toFixed(2)} ${currency}`);
    say.checked(`signature valid; event ${paid.id}`);

    const { used, quota, requests } = await client.usage.get();
    say.title(`Done: ${requests} generations, ${used} of ${quota} tokens used.`);
  } finally {
    await receiver.close();
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
