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
  'a lost connection is retried, and the error names its host': async () => {
    const { client, sent } = clientOf([unreachable, unreachable, () => json({ used: 3 })]);
    const { error } = await client.usage.get({ maxRetries: 0 }).safe();
    equal(error.message.includes('api.example.com:8443'), true);
    equal((await client.usage.get()).used, 3);
    equal(sent(), 3);
  },
  'a timeout and an abort end a call': async () => {
    const { client } = clientOf([() => new Promise(() => {})], { maxRetries: 0 });
    equal((await client.usage.get({ timeout: 20 }).safe()).error.code, 'attempt_timeout');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    const { error } = await client.usage.get({ signal: controller.signal }).safe();
    equal(error.code, 'aborted');
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
