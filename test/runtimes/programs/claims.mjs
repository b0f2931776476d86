import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createTestRequest, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler, signWebhook, verifyWebhook } from 'contentgen/webhooks';
import { codeOf, equal } from './report.mjs';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const webhookUrl = 'https://app.example/callbacks';

/** What the package does on every runtime. None of it needs a socket, a file or a module of Node. */
export const claims = {
  'a call is made, and read as a stream': async () => {
    const client = new ContentGen(createMockServer().clientOptions);
    equal((await client.content.generate({ prompt: 'p' })).status, 'completed');
    const stream = client.content.stream({ prompt: 'p' });
    let text = '';
    for await (const piece of stream) text += piece;
    equal((await stream.final()).result, text);
  },

  'a failed call is sent again, and an aborted one rejects': async () => {
    const mock = createMockServer();
    const client = new ContentGen(mock.clientOptions);
    mock.faults.add({ operation: 'generateContent', times: 1, effect: { loseAnswer: true } });
    equal((await client.content.generate({ prompt: 'p' })).status, 'completed');
    const controller = new AbortController();
    const call = client.usage.get({ signal: controller.signal });
    controller.abort();
    equal(await codeOf(call), 'aborted');
  },

  // The example of the Standard Webhooks specification.
  'a signature is the one that others compute, and a forged one is rejected': async () => {
    const [id, timestamp] = ['msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330];
    const body = '{"test": 2432232314}';
    const headers = await signWebhook({ id, timestamp, body, secret });
    equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    const event = sampleEvent('generation_completed');
    const request = await createTestRequest(event, { secret });
    const validate = () => import('contentgen/schemas');
    equal((await verifyWebhook({ request, secret, validate })).payload, event.payload);
    const forged = { body: `${body} `, headers, secret, now: () => timestamp * 1000 };
    equal(await codeOf(verifyWebhook(forged)), 'signature_mismatch');
  },

  'the result of a job is delivered, handled once, and awaited with the receiver': async () => {
    const mock = createMockServer({ clock: 'manual' });
    const client = new ContentGen(mock.clientOptions);
    let effects = 0;
    const receive = createWebhookHandler({
      ...{ secret: mock.signingSecret, now: mock.clock.now },
      on: { generation_completed: () => void effects++ },
    });
    mock.receivers.set(webhookUrl, receive);
    const job = await client.content.start({ prompt: 'p', webhookUrl });
    const waited = job.wait({ results: receive });
    await mock.clock.advance('1 minute');
    equal((await waited).requestId, job.requestId);
    const [{ id, status }] = mock.deliveries();
    equal([status, effects], ['delivered', 1]);
    await mock.redeliver(id);
    await mock.clock.advance('1 minute');
    equal(effects, 1);
  },
};
