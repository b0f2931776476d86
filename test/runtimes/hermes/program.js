import './react-native.js';
import 'whatwg-fetch';
import { ContentGen } from 'contentgen';

const completed = { requestId: 'gen_1', status: 'completed', model: 'm', result: 'a haiku' };
const headers = { 'content-type': 'application/json', 'api-version': '2' };
const json = (body) => new Response(JSON.stringify(body), { headers });

/** A client of a service that reacts so. */
const clientOf = (fetch) =>
  new ContentGen({
    ...{ baseUrl: 'https://api.example.com:8443/v2', apiKey: 'cg_test_key' },
    ...{ maxRetries: 0, fetch },
  });

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
    const client = clientOf(async () => json(completed));
    const { error } = await client.content.generate({ prompt: 'Hi' }).safe();
    equal(/react-native-get-random-values/.test(error.cause.message), true);
  },
  'a generation is completed': async () => {
    globalThis.crypto = { getRandomValues: (array) => array.fill(Math.random() * 2 ** 32) };
    const client = clientOf(async () => json(completed));
    equal((await client.content.generate({ prompt: 'Hi' })).result, 'a haiku');
  },
  'a stream says that this fetch cannot stream, and names one that can': async () => {
    const events = { ...headers, 'content-type': 'text/event-stream' };
    const client = clientOf(async () => new Response('', { headers: events }));
    const error = await client.content
      .stream({ prompt: 'Hi' }, { idempotencyKey: 'a' })
      .final()
      .catch((reason) => reason);
    equal(/expo\/fetch/.test(error.message), true);
  },
  'a timeout and an abort end a call': async () => {
    const client = clientOf(() => new Promise(() => {}));
    equal((await client.usage.get({ timeout: 20 }).safe()).error.code, 'attempt_timeout');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    const { error } = await client.usage.get({ signal: controller.signal }).safe();
    equal(error.code, 'aborted');
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
