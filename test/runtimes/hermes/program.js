import './react-native.js';
import 'whatwg-fetch';
import { ContentGen } from 'contentgen';

const completed = { requestId: 'gen_1', status: 'completed', model: 'm', result: 'a haiku' };
const headers = { 'content-type': 'application/json', 'api-version': '2' };
const json = (body, status = 200) => new Response(JSON.stringify(body), { status, headers });

/** A client of a service that reacts with these, in order; the last one repeats. */
function clientOf(reactions, options = {}) {
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return reactions[Math.min(sent, reactions.length) - 1]();
  };
  const client = new ContentGen({
    baseUrl: 'https://api.example.com:8443/v2',
    apiKey: 'cg_test_key',
    fetch,
    ...options,
  });
  return { client, sent: () => sent };
}

const unreachable = () => {
  throw new TypeError('Network request failed');
};

function equal(actual, expected) {
  if (actual !== expected) throw new Error(`expected ${expected}, received ${actual}`);
}

const claims = {
  'this engine is Hermes, with the gaps of React Native': async () => {
    equal(typeof HermesInternal, 'object');
    equal(typeof Symbol.asyncIterator, 'undefined');
    equal(typeof TextDecoder, 'undefined');
  },
  'without random numbers a POST names the polyfill': async () => {
    const { error } = await clientOf([() => json(completed)])
      .client.content.generate({ prompt: 'Hi' })
      .safe();
    equal(/react-native-get-random-values/.test(error.cause.message), true);
  },
  'a generation is completed': async () => {
    globalThis.crypto = { getRandomValues: (array) => array.fill(Math.random() * 2 ** 32) };
    const { client } = clientOf([() => json(completed)]);
    equal((await client.content.generate({ prompt: 'Hi' })).result, 'a haiku');
  },
  'a stream says that this fetch cannot stream, and names one that can': async () => {
    const events = { ...headers, 'content-type': 'text/event-stream' };
    const { client } = clientOf([() => new Response('', { headers: events })]);
    const error = await client.content
      .stream({ prompt: 'Hi' }, { idempotencyKey: 'a' })
      .final()
      .catch((reason) => reason);
    equal(/expo\/fetch/.test(error.message), true);
  },
  'a lost connection is retried': async () => {
    const { client, sent } = clientOf([unreachable, () => json({ used: 3 })]);
    equal((await client.usage.get()).used, 3);
    equal(sent(), 2);
  },
  'without a connection the error names the host': async () => {
    const { client } = clientOf([unreachable], { maxRetries: 0 });
    const { error } = await client.usage.get().safe();
    equal(error.name, 'ConnectionError');
    equal(error.message.includes('api.example.com:8443'), true);
  },
  'an error of the service has its class, its code and a clean message': async () => {
    const problem = { type: 'about:blank', title: 'No', status: 404, code: 'not_found' };
    const { client } = clientOf([() => json({ ...problem, detail: 'a\nb' }, 404)]);
    const { error } = await client.content.get('gen_x').safe();
    equal(error.name, 'NotFoundError');
    equal(/not_found.+says: a b/.test(error.message), true);
  },
  'a misspelled option is named': async () => {
    let message = '';
    try {
      new ContentGen({ apikey: 'x' });
    } catch (error) {
      message = error.message;
    }
    equal(message.includes("Did you mean 'apiKey'?"), true);
  },
  'a timeout and an abort end a call': async () => {
    const { client } = clientOf([() => new Promise(() => {})], { maxRetries: 0 });
    equal((await client.usage.get({ timeout: 20 }).safe()).error.code, 'attempt_timeout');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    const { error } = await client.usage.get({ signal: controller.signal }).safe();
    equal(error.code, 'aborted');
  },
  'a list is read to its end': async () => {
    const page = (nextCursor) => () => json({ data: [completed], nextCursor });
    const { client } = clientOf([page('c'), page(null)]);
    equal((await client.content.list().toArray()).length, 2);
  },
  'calls beyond the first window are sent in their turn': async () => {
    const { client, sent } = clientOf([() => json({ used: 1 })]);
    await Promise.all(Array.from({ length: 40 }, () => client.usage.get()));
    equal(sent(), 40);
  },
  'a request of its own is sent': async () => {
    const { client } = clientOf([() => json({ requests: 1 })]);
    equal((await client.http.GET('/api/usage')).data.requests, 1);
  },
  'a job is waited for': async () => {
    const processing = { requestId: 'gen_1', status: 'processing', model: 'm' };
    const { client } = clientOf([() => json(processing), () => json(completed)]);
    const polls = [];
    const { result } = await client.content.resume('gen_1').wait({
      pollInterval: { min: 5, max: 10 },
      onProgress: ({ generation }) => polls.push(generation.status),
    });
    equal(`${polls} ${result}`, 'processing a haiku');
  },
};

async function run() {
  for (const [name, claim] of Object.entries(claims)) {
    let error = null;
    try {
      await claim();
    } catch (thrown) {
      error = String(thrown?.stack ?? thrown);
    }
    print(JSON.stringify({ name, error }));
  }
  print('done');
}

void run();
