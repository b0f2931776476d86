import { once } from 'node:events';
import { createServer } from 'node:http';
import { PGlite } from '@electric-sql/pglite';
import { startWorker } from './workers.mjs';

const file = 'test/runtimes/shared-isolate.mjs';
/** Before and after promises could be resolved across requests. */
const dates = ['2023-08-01', '2026-07-01'];

/** The module of a Worker: what its requests share, and what each of them does with it. */
const workerFor = (url) => `
import { ContentGen, refreshing } from 'contentgen';
import { paced } from 'contentgen/pacing';
import { createWebhookHandler, signWebhook } from 'contentgen/webhooks';
import { postgresDedupe } from 'contentgen/webhooks/postgres';

const clientOf = (path, options) =>
  new ContentGen({ baseUrl: '${url}/' + path, logLevel: 'off', ...options });
const token = () => new Promise((resolve) => setTimeout(resolve, 50, 'jwt'));
const clients = {
  'a client': clientOf('plain', { apiKey: 'cg_test_key' }),
  'a client with paced()':
    clientOf('paced', { apiKey: 'cg_test_key', middleware: [paced({ concurrency: 5 })] }),
  'a client with refreshing()': clientOf('refreshing', { accessToken: refreshing(token) }),
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const slow = () => new Promise((resolve) => setTimeout(resolve, 30));
const receiverOf = (dedupe) =>
  createWebhookHandler({ secret, ...dedupe, storeTimeoutMs: 60_000, on: { usage_threshold: slow } });
// Statements that go over HTTP, as those of Neon's driver do.
const query = async (text, params) => {
  const body = JSON.stringify({ text, params });
  const result = await (await fetch('${url}/sql', { method: 'POST', body })).json();
  if (result.error) throw Object.assign(new Error(result.error.message), result.error);
  return result;
};
const receivers = {
  'a receiver': receiverOf({}),
  'a receiver over PostgreSQL': receiverOf({ dedupe: postgresDedupe(query) }),
};

async function generate(client) {
  const { result } = await client.content.generate({ prompt: 'p' });
  return result === 'a haiku' ? 'right' : result;
}

/** Each event comes twice, the second time while the first is being handled. */
async function receive(receiver, number) {
  const id = 'msg_' + Math.ceil(number / 2);
  const body = JSON.stringify({ event: 'usage_threshold', usage: 900 });
  const headers = await signWebhook({ id, body, secret });
  const init = { method: 'POST', headers, body };
  const { status } = await receiver(new Request('https://app.example/', init));
  return status === 200 || status === 503 ? 'right' : 'status ' + status;
}

let requests = 0;
export default {
  async fetch() {
    const number = ++requests;
    const all = [
      ...Object.entries(clients).map(([name, client]) => [name, generate(client)]),
      ...Object.entries(receivers).map(([name, receiver]) => [name, receive(receiver, number)]),
    ];
    const named = all.map(async ([name, result]) => [name, await result.catch(String)]);
    return Response.json(Object.fromEntries(await Promise.all(named)));
  },
};`;

/** 40 requests at once share the clients and receivers of a Worker's module. */
export async function sharedIsolate(application) {
  const failures = [];
  const names = new Set();
  const database = await PGlite.create();
  for (const compatibilityDate of dates) {
    const service = await startService(database);
    application.write('shared.mjs', workerFor(service.url));
    const isolate = await startWorker(application, 'shared.mjs', { compatibilityDate });
    try {
      const url = await isolate.ready;
      const results = await Promise.all(
        Array.from({ length: 40 }, async () => (await fetch(url)).json()),
      );
      for (const name of Object.keys(results[0])) {
        const claim = `${name} serves 40 requests at once (${compatibilityDate})`;
        names.add(claim);
        const error = results.map((result) => result[name]).find((text) => text !== 'right');
        if (error !== undefined) failures.push({ file, name: claim, error });
      }
      const error = await service.problem();
      if (error) failures.push({ file, name: 'each event is marked in PostgreSQL', error });
    } finally {
      await isolate.dispose();
      service.close();
    }
  }
  await database.close();
  return { claims: names.size + dates.length, skipped: 0, failures };
}

/** Generates, responds to the fifth request of each client with 429, and executes statements. */
async function startService(database) {
  const requests = new Map();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    if (request.url === '/sql') {
      const { text, params } = JSON.parse(body);
      const result = await database.query(text, params).then(
        ({ rows }) => ({ rows }),
        ({ message, code }) => ({ error: { message, code } }),
      );
      return response.end(JSON.stringify(result));
    }
    const count = (requests.get(request.url) ?? 0) + 1;
    requests.set(request.url, count);
    const isRefused = count === 5;
    await new Promise((resolve) => setTimeout(resolve, 30 + (count % 7) * 10));
    const type = isRefused ? 'application/problem+json' : 'application/json';
    response.writeHead(isRefused ? 429 : 200, {
      'content-type': type,
      ...(isRefused && { 'retry-after': '1' }),
    });
    const done = { requestId: 'gen_1', status: 'completed', result: 'a haiku' };
    response.end(JSON.stringify(isRefused ? { code: 'rate_limited', status: 429 } : done));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async problem() {
      const { rows } = await database.query(
        'SELECT count(*)::int AS done FROM contentgen_webhook_deliveries WHERE done',
      );
      await database.query('DROP TABLE contentgen_webhook_deliveries');
      return rows[0].done === 20 ? undefined : `${rows[0].done} of 20 are marked`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
