import { ContentGen, isContentGenError } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { paced } from 'contentgen/pacing';
import { createTestRequest, deliver, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler, signWebhook, verifyWebhook } from 'contentgen/webhooks';
import { codeOf, equal } from './report.mjs';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const webhookUrl = 'https://app.example/callbacks';

/** What the package does on every runtime. None of it needs a socket, a file or a module of Node. */
export const claims = {
  'a call is made, and its record can be read and listed': async () => {
    const client = new ContentGen(createMockServer().clientOptions);
    const { requestId, status } = await client.content.generate({ prompt: 'p' });
    equal(status, 'completed');
    equal((await client.content.get(requestId)).requestId, requestId);
    equal((await client.content.list().toArray()).length, 1);
    equal((await client.http.GET('/api/usage')).response.status, 200);
  },

  'a stream gives its text in pieces': async () => {
    const client = new ContentGen(createMockServer().clientOptions);
    const stream = client.content.stream({ prompt: 'p' });
    let text = '';
    for await (const piece of stream) text += piece;
    equal((await stream.final()).result, text);
  },

  'a failed call is retried and billed once, also if it is paced': async () => {
    const mock = createMockServer();
    const client = new ContentGen({ ...mock.clientOptions, middleware: [paced()] });
    mock.faults.add({ operation: 'generateContent', times: 1, effect: { loseAnswer: true } });
    equal((await client.content.generate({ prompt: 'p' })).status, 'completed');
    equal((await client.usage.get()).requests, 1);
  },

  'an error has a code, and an aborted call rejects': async () => {
    const client = new ContentGen(createMockServer().clientOptions);
    const { error } = await client.content.get('gen_unknown').safe();
    equal(isContentGenError(error) && error.code, 'not_found');
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

  'an event is handled once, whatever is delivered at once or tampered with': async () => {
    let effects = 0;
    const receive = createWebhookHandler({ secret, on: { usage_threshold: () => void effects++ } });
    const event = sampleEvent('usage_threshold');
    const copies = await Promise.all(
      [1, 2, 3, 4, 5].map(() => deliver(receive, event, { secret })),
    );
    equal([copies.some(({ ok }) => ok), effects], [true, 1]);
    equal((await deliver(receive, event, { secret, duplicates: 1 })).ok, true);
    equal((await deliver(receive, event, { secret, tamper: 'body' })).ok, true);
    equal(effects, 1);
  },

  'the result of a job is delivered, and awaited with the receiver': async () => {
    const mock = createMockServer({ clock: 'manual' });
    const client = new ContentGen(mock.clientOptions);
    const receive = createWebhookHandler({
      ...{ secret: mock.signingSecret, now: mock.clock.now },
      on: { generation_completed: () => {} },
    });
    mock.receivers.set(webhookUrl, receive);
    const job = await client.content.start({ prompt: 'p', webhookUrl });
    const waited = job.wait({ results: receive });
    await mock.clock.advance('1 minute');
    equal((await waited).requestId, job.requestId);
    equal(
      mock.deliveries().map(({ status }) => status),
      ['delivered'],
    );
  },
};
