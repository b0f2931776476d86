import { AuthenticationError, ContentGen, NotFoundError } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { deliver, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler, signWebhook, verifyWebhook } from 'contentgen/webhooks';

const callback = 'https://app.example/callbacks';

/** The same claims for every runtime, made on the packed package with web standards alone. */
const claims = {
  async 'a generation is answered with its result'() {
    const { client } = setUp();
    const done = await client.content.generate({ prompt: 'A haiku about TCP' });
    equal(typeof done.result, 'string');
    equal(done.status, 'completed');
  },

  async 'a stream gives its text in parts'() {
    const { client } = setUp();
    const stream = client.content.stream({ prompt: 'A haiku about UDP' });
    let text = '';
    for await (const delta of stream) text += delta;
    equal(text, (await stream.final()).result);
  },

  async 'a list walks over all its pages'() {
    const { client } = setUp();
    for (let i = 0; i < 3; i++) await client.content.generate({ prompt: `Number ${i}` });
    const found = [];
    for await (const { requestId } of client.content.list({ limit: 2 })) found.push(requestId);
    equal(new Set(found).size, 3);
  },

  async 'a refusal is an error of its class, with its code'() {
    const { client, mock } = setUp();
    const missing = await failure(client.content.get('gen_01kdvsz0g0m3k5h7j9n1b2d4se'));
    equal(missing instanceof NotFoundError, true);
    equal(missing.code, 'not_found');
    const stranger = new ContentGen({ baseUrl: mock.baseUrl, apiKey: 'wrong', fetch: mock.fetch });
    equal((await failure(stranger.usage.get())) instanceof AuthenticationError, true);
  },

  async 'a failed attempt is tried again, under one idempotency key'() {
    const { client, mock } = setUp();
    mock.faults.add({ operation: 'generateContent', times: 1, effect: { status: 503 } });
    await client.content.generate({ prompt: 'Again' });
    const found = [];
    for await (const { requestId } of client.content.list()) found.push(requestId);
    equal(found.length, 1);
  },

  async 'an asynchronous generation arrives as a signed callback'() {
    const { client, mock } = setUp({ clock: 'manual' });
    const results = [];
    mock.receivers.set(
      callback,
      createWebhookHandler({
        secret: mock.signingSecret,
        now: mock.clock.now,
        on: { generation_completed: ({ payload }) => void results.push(payload.requestId) },
      }),
    );
    const job = await client.content.generate({ prompt: 'Later', webhookUrl: callback });
    await mock.settle();
    equal(results.join(), job.requestId);
  },

  async 'what was signed is verified, and anything else is refused'() {
    const message = await signed('{"event":"data_updated"}');
    equal((await verifyWebhook(message)).type, 'data_updated');
    const changed = await failure(verifyWebhook({ ...message, body: `${message.body} ` }));
    equal(changed.code, 'signature_mismatch');
    const late = await failure(verifyWebhook({ ...message, now: () => Date.now() + 400_000 }));
    equal(late.code, 'timestamp_too_old');
  },

  async 'a receiver passes its test delivery and refuses a forged one'() {
    let calls = 0;
    const receiver = createWebhookHandler({ secret, on: { usage_threshold: () => void calls++ } });
    const twice = await deliver(receiver, sampleEvent('usage_threshold'), {
      secret,
      duplicates: 2,
    });
    equal(twice.ok, true);
    equal(calls, 1);
    const forged = await deliver(receiver, sampleEvent('usage_threshold'), {
      secret,
      tamper: 'body',
    });
    equal(forged.attempts[0].status, 400);
    equal(calls, 1);
  },
};

const secret = `whsec_${'BwcH'.repeat(10)}Bwc=`;

/** Checks every claim; answers the failures by name. */
export async function conformance() {
  const failures = {};
  for (const [name, check] of Object.entries(claims)) {
    try {
      await check();
    } catch (error) {
      failures[name] = String(error?.stack ?? error);
    }
  }
  return { claims: Object.keys(claims).length, failures };
}

function setUp(options = {}) {
  const mock = createMockServer({ seed: 1, ...options });
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    fetch: mock.fetch,
    dangerouslyAllowBrowser: true,
  });
  return { mock, client };
}

async function signed(body) {
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = await signWebhook({ id: 'msg_1', timestamp, body, secret });
  return { body, headers, secret, diagnose: false };
}

async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

function equal(actual, expected) {
  if (!Object.is(actual, expected)) throw new Error(`${String(actual)} is not ${String(expected)}`);
}
