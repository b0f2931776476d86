import { bad, good, idempotencyKey, withServer } from './outcome.mjs';
import { failure, json, startServer, success, within } from './server.mjs';

/** Slow and busy services, and what a client reports about a failed call. */
export const limits = [
  {
    title: 'A generation that is slower than the timeout',
    how: '1 s timeout; the service needs 2.5 s and responds with 409 until then',
    run: (client) => {
      if (client.make.length < 2) return Promise.resolve('no such option');
      // One billable run per key; every request without a key is a new run.
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
    title: 'A credential in the headers of one call',
    how: "another tenant's key in the header that carries the client's own",
    react: () => (_, response) => json(response, 200, success),
    run: async (client, { url, seen }) => {
      const { credential: name } = client;
      if (!name) return 'not tested';
      const headers = { [name]: 'their-key' };
      const call = async () => client.post(client.make(url, {}), { headers });
      await within(call(), 3000);
      if (seen.length === 0) return good('rejected before anything is sent');
      const sent = seen[0].headers[name.toLowerCase()];
      return sent === 'their-key' ? good('sent') : bad('silently replaced');
    },
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
    how: 'token bucket, `RateLimit` headers and `Retry-After`; contentgen with `paced({ concurrency: 10 })`, which no other client has',
    react: () => {
      let left = 20;
      let at = performance.now();
      return (_, response) => {
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
      };
    },
    run: async (client, { url, seen }) => {
      const instance = (client.makePaced ?? client.make)(url, {});
      const calls = Array.from({ length: 150 }, () => within(client.post(instance), 40_000));
      const outcomes = await Promise.all(calls);
      const succeeded = outcomes.filter(({ state }) => state === 'resolved').length;
      const text = `${succeeded} succeed with ${seen.length} requests`;
      return succeeded === 150 && seen.length <= 165 ? good(text) : bad(text);
    },
  },
  {
    title: 'An outage while waiting for a job',
    how: 'every poll gets 503 for 4 s, then the job is completed; observed for 20 s',
    react: () => {
      let start;
      return (_, response) => {
        start ??= performance.now();
        if (performance.now() - start < 4000) failure(response, 503, 'unavailable');
        else json(response, 200, success);
      };
    },
    run: async (client, { url, seen }) => {
      if (!client.poll) return 'does not poll';
      const { state, error } = await within(client.poll(client.make(url, {})), 20_000);
      if (state === 'resolved') return good(`resolves after ${seen.length} requests`);
      return bad(state === 'pending' ? 'still waiting' : `gives up: ${error?.name}`);
    },
  },
];
