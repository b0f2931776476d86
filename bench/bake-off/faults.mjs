import { failure, json, startServer, success, within } from './server.mjs';

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const idempotencyKey = ({ headers }) => headers['idempotency-key'];
const good = (text) => `✓ ${text}`;
const bad = (text) => `✗ ${text}`;

async function withServer(react, run) {
  const server = await startServer(react);
  try {
    return await run(server);
  } finally {
    await server.close();
  }
}

function retried(seen) {
  if (seen.length < 2) return 'no retry: left to the caller';
  const keys = new Set(seen.map(idempotencyKey));
  if (keys.size === 1 && !keys.has(undefined)) return good('retried with the same key');
  return bad(
    keys.has(undefined)
      ? 'retried without a key: can be billed twice'
      : 'retried with a different key',
  );
}

/** Each fault runs against one client and returns the text of its outcome. */
export const faults = [
  {
    title: 'A billable POST whose response is lost',
    how: 'the server cuts the connection once, after reading the request',
    run: (client) =>
      withServer(
        (request, response, number) =>
          number === 1 ? request.socket.destroy() : json(response, 200, success),
        async ({ url, seen }) => {
          await within(client.post(client.make(url, {})), 4000);
          return retried(seen);
        },
      ),
  },
  {
    title: 'A billable POST that gets 503 once',
    how: '503, then 200',
    run: (client) =>
      withServer(
        (_, response, number) =>
          number === 1 ? failure(response, 503, 'unavailable') : json(response, 200, success),
        async ({ url, seen }) => {
          await within(client.post(client.make(url, {})), 4000);
          return retried(seen);
        },
      ),
  },
  {
    title: '429 with `Retry-After: 120`',
    how: 'observed for 4 s',
    run: (client) =>
      withServer(
        (_, response) => failure(response, 429, 'rate_limited', { 'retry-after': '120' }),
        async ({ url, seen }) => {
          const { state, error } = await within(client.post(client.make(url, {})), 4000);
          if (seen.length > 1) return bad(`retried after ${seconds(seen[1].at - seen[0].at)}`);
          if (state === 'pending') return good('waits');
          return error?.retryAt ? good('fails and says when to retry') : 'fails immediately';
        },
      ),
  },
  {
    title: 'Retries disabled with 0',
    how: '503 every time',
    run: (client) =>
      withServer(
        (_, response) => failure(response, 503, 'unavailable'),
        async ({ url, seen }) => {
          if (client.make.length < 2) return 'no such option';
          await within(client.post(client.make(url, { retries: 0 })), 3000);
          return seen.length === 1 ? good('one request') : bad(`${seen.length} requests`);
        },
      ),
  },
  {
    title: 'A timeout of NaN',
    how: 'a server that never responds, observed for 2 s',
    run: (client) =>
      withServer(
        () => {},
        async ({ url }) => {
          if (client.make.length < 2) return 'no such option';
          let made;
          try {
            made = client.make(url, { timeout: Number.NaN, retries: 0 });
          } catch {
            return good('rejected at construction');
          }
          const { state, error } = await within(client.post(made), 2000);
          if (state === 'pending') return bad('waits forever');
          // A deliberate rejection names the rule; a transport error or an immediate timeout does not.
          return /must be|integer|NaN|number/i.test(String(error?.message))
            ? good('rejected when called')
            : bad(`fails immediately: ${error?.name}: ${String(error?.message).slice(0, 60)}`);
        },
      ),
  },
  {
    title: 'A stalled body',
    how: 'headers and half a body, 1 s timeout, no retries, observed for 4 s',
    run: (client) =>
      withServer(
        (_, response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"id":');
        },
        async ({ url }) => {
          const { state, ms } = await within(
            client.post(client.make(url, { timeout: 1000, retries: 0 })),
            4000,
          );
          return state === 'pending' ? bad('hangs') : good(`ends after ${seconds(ms)}`);
        },
      ),
  },
  {
    title: 'A stalled stream',
    how: 'headers and one event, 1 s timeout, observed for 4 s',
    run: (client) =>
      withServer(
        (_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(
            'event: generation.delta\ndata: {"type":"generation.delta","requestId":"g","delta":"a"}\n\n',
          );
        },
        async ({ url }) => {
          if (!client.stream) return 'no streaming';
          const read = async () => {
            for await (const _ of await client.stream(
              client.make(url, { timeout: 1000, retries: 0 }),
            ));
          };
          const { state, ms } = await within(read(), 4000);
          return state === 'pending' ? bad('hangs') : good(`ends after ${seconds(ms)}`);
        },
      ),
  },
  {
    title: 'Polling an unknown status',
    how: 'requests within 3 s',
    run: (client) =>
      withServer(
        (_, response) => json(response, 200, { ...success, status: 'postponed' }),
        async ({ url, seen }) => {
          if (!client.poll) return 'does not poll';
          const { state, value, error } = await within(client.poll(client.make(url, {})), 3000);
          if (state === 'pending')
            return seen.length > 10
              ? bad(`${seen.length} requests`)
              : good(`keeps waiting, ${seen.length} requests`);
          return state === 'resolved'
            ? bad(`resolves as ${value?.status}`)
            : `rejects: ${error?.name}`;
        },
      ),
  },
  {
    title: "The ids `''` and `'..'`",
    how: 'the path that reaches the server',
    run: (client) =>
      withServer(
        (_, response) => json(response, 200, success),
        async ({ url, seen }) => {
          const hits = [];
          for (const id of ['', '..']) {
            const before = seen.length;
            await within((async () => client.get(client.make(url, {}), id))(), 2000);
            if (seen.length > before)
              hits.push(`${JSON.stringify(id).replaceAll('"', "'")} → \`${seen[before].url}\``);
          }
          return hits.length === 0 ? good('both rejected') : bad(hits.join(', '));
        },
      ),
  },
  {
    title: 'An error as JSON',
    how: 'name and message in `JSON.stringify(error)`',
    run: (client) =>
      withServer(
        (_, response) => failure(response, 400, 'invalid_request'),
        async ({ url }) => {
          const { error } = await within(client.post(client.make(url, { retries: 0 })), 3000);
          if (!error) return 'no error';
          const text = JSON.stringify(error) ?? '';
          const { name, message } = JSON.parse(text || '{}');
          if (name && message) return good('both');
          if (text.includes('the service says why')) return 'contains the message';
          return bad(name ? 'message lost' : 'both lost');
        },
      ),
  },
  {
    title: 'A redirect to another host',
    how: 'is the credential forwarded?',
    run: (client) =>
      withServer(
        (_, response) => json(response, 200, success),
        (other) =>
          withServer(
            (request, response) => {
              response.writeHead(307, {
                location: `http://localhost:${new URL(other.url).port}${request.url}`,
              });
              response.end();
            },
            async ({ url }) => {
              await within(client.post(client.make(url, { retries: 0 })), 3000);
              const [there] = other.seen;
              if (!there) return good('not followed');
              return JSON.stringify(there.headers).includes('secret-key')
                ? bad('credential forwarded')
                : good('followed without the credential');
            },
          ),
      ),
  },
  {
    title: 'An abort while waiting to retry',
    how: '503 with `Retry-After: 3`, aborted after 0.5 s',
    run: (client) =>
      withServer(
        (_, response) => failure(response, 503, 'unavailable', { 'retry-after': '3' }),
        async ({ url, seen }) => {
          if (client.post.length < 2) return 'accepts no signal';
          const controller = new AbortController();
          const call = client.post(client.make(url, {}), controller.signal);
          const watched = within(call, 5000);
          await new Promise((resolve) => setTimeout(resolve, 500));
          if ((await within(call, 0)).state !== 'pending') return 'does not wait';
          const aborted = performance.now();
          controller.abort();
          const { state } = await watched;
          const took = performance.now() - aborted;
          if (state === 'pending' || took > 250 || seen.length > 1)
            return bad(`ends after ${seconds(took)}`);
          return good('ends immediately');
        },
      ),
  },
  {
    title: 'A generation that is slower than the timeout',
    how: '1 s timeout; the service needs 2.5 s and answers 409 in progress meanwhile',
    run: (client) => {
      if (client.make.length < 2) return Promise.resolve('no such option');
      // One billable run per key. A request without a key runs by itself.
      const runs = new Map();
      return withServer(
        (request, response, number) => {
          const key = idempotencyKey(request) ?? number;
          const startedAt = runs.get(key);
          if (startedAt === undefined) {
            runs.set(key, performance.now());
            setTimeout(() => json(response, 200, success), 2500);
          } else if (performance.now() - startedAt > 2500) json(response, 200, success);
          else failure(response, 409, 'idempotency_in_progress', { 'retry-after': '1' });
        },
        async ({ url }) => {
          const call = client.post(client.make(url, { timeout: 1000 }));
          const { state, error } = await within(call, 12_000);
          const billed = `billed ${runs.size === 1 ? 'once' : `${runs.size} times`}`;
          if (state === 'resolved') {
            return runs.size === 1 ? good(`delivered, ${billed}`) : bad(`delivered, ${billed}`);
          }
          return bad(
            `${state === 'pending' ? 'still waiting' : `lost (${error?.name})`}, ${billed}`,
          );
        },
      );
    },
  },
  {
    title: "The caller's line in the stack trace",
    how: '404 for a read that is awaited',
    run: (client) =>
      withServer(
        (_, response) => failure(response, 404, 'not_found'),
        async ({ url }) => {
          async function theCaller() {
            await client.get(client.make(url, { retries: 0 }), 'gen_1');
          }
          const { error } = await within(theCaller(), 3000);
          if (!(error instanceof Error)) return 'no stack';
          return error.stack?.includes('theCaller') ? good('named') : bad('missing');
        },
      ),
  },
  {
    title: 'A credential in the headers of one call',
    how: "another tenant's key in the header that carries the client's own",
    run: (client) =>
      withServer(
        (_, response) => json(response, 200, success),
        async ({ url, seen }) => {
          if (!client.postWith) return 'not tried';
          const name = client.credential ?? 'X-API-Key';
          const call = async () => client.postWith(client.make(url, {}), { [name]: 'their-key' });
          await within(call(), 3000);
          if (seen.length === 0) return good('rejected before anything is sent');
          const sent = seen[0].headers[name.toLowerCase()];
          return sent === 'their-key' ? good('sent') : bad('silently replaced');
        },
      ),
  },
  {
    title: '`Retry-After: 9999999999`',
    how: 'observed for 5 s',
    run: (client) =>
      withServer(
        (_, response) => failure(response, 503, 'unavailable', { 'retry-after': '9999999999' }),
        async ({ url, seen }) => {
          const { state, error } = await within(client.post(client.make(url, {})), 5000);
          if (state === 'pending')
            return seen.length > 1 ? 'retries sooner' : bad('waits silently');
          if (error?.retryAt) return good('fails at once and says when to retry');
          return seen.length > 1 ? 'ignores it and fails' : 'fails at once';
        },
      ),
  },
  {
    title: 'A refused connection',
    how: 'nothing listens on the port, no retries',
    run: async (client) => {
      const { url, close } = await startServer(() => {});
      await close();
      const call = client.post(client.make(url, { retries: 0 }));
      const { error } = await within(call, 5000);
      const text = `${error?.message} ${error?.reason} ${error?.code}`;
      if (/refused/i.test(`${error?.message} ${error?.reason}`)) return good('says so');
      return /ECONNREFUSED/.test(text)
        ? good('has the code')
        : bad(`${error?.message}`.slice(0, 60));
    },
  },
  {
    title: '150 calls at once against 20 per second',
    how: 'token bucket, `RateLimit` headers and `Retry-After`; no option set',
    run: (client) => {
      let left = 20;
      let at = performance.now();
      return withServer(
        (_, response) => {
          const now = performance.now();
          left = Math.min(20, left + (now - at) / 50);
          at = now;
          const headers = {
            'ratelimit-policy': '"default";q=20;w=1',
            ratelimit: `"default";r=${Math.max(0, Math.floor(left - 1))};t=1`,
          };
          if (left < 1) {
            failure(response, 429, 'rate_limited', { ...headers, 'retry-after': '1' });
            return;
          }
          left -= 1;
          json(response, 200, success, headers);
        },
        async ({ url, seen }) => {
          const instance = client.make(url, {});
          const calls = Array.from({ length: 150 }, () => within(client.post(instance), 40_000));
          const outcomes = await Promise.all(calls);
          const succeeded = outcomes.filter(({ state }) => state === 'resolved').length;
          const text = `${succeeded} succeed with ${seen.length} requests`;
          return succeeded === 150 && seen.length <= 165 ? good(text) : bad(text);
        },
      );
    },
  },
];
