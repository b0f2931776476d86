import { limits } from './limits.mjs';
import { bad, good, idempotencyKey, withServer } from './outcome.mjs';
import { failure, json, success, within } from './server.mjs';

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

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
    react: () => (request, response, number) =>
      number === 1 ? request.socket.destroy() : json(response, 200, success),
    run: async (client, { url, seen }) => {
      await within(client.post(client.make(url, {})), 4000);
      return retried(seen);
    },
  },
  {
    title: '429 with `Retry-After: 120`',
    how: 'observed for 4 s',
    react: () => (_, response) => failure(response, 429, 'rate_limited', { 'retry-after': '120' }),
    run: async (client, { url, seen }) => {
      const { state, error } = await within(client.post(client.make(url, {})), 4000);
      if (seen.length > 1) return bad(`retried after ${seconds(seen[1].at - seen[0].at)}`);
      if (state === 'pending') return good('waits');
      return error?.retryAt ? good('fails and says when to retry') : 'fails immediately';
    },
  },
  {
    title: 'Retries disabled with 0',
    how: '503 every time',
    react: () => (_, response) => failure(response, 503, 'unavailable'),
    run: async (client, { url, seen }) => {
      if (client.make.length < 2) return 'no such option';
      await within(client.post(client.make(url, { retries: 0 })), 3000);
      return seen.length === 1 ? good('one request') : bad(`${seen.length} requests`);
    },
  },
  {
    title: 'A timeout of NaN',
    how: 'a server that never responds, observed for 2 s',
    react: () => () => {},
    run: async (client, { url }) => {
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
  },
  {
    title: 'A stalled body',
    how: 'headers and half a body, 1 s timeout, no retries, observed for 4 s',
    react: () => (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
    },
    run: async (client, { url }) => {
      const { state, ms } = await within(
        client.post(client.make(url, { timeout: 1000, retries: 0 })),
        4000,
      );
      return state === 'pending' ? bad('hangs') : good(`ends after ${seconds(ms)}`);
    },
  },
  {
    title: 'A stalled stream',
    how: 'headers and one event, 1 s timeout, observed for 4 s',
    react: () => (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        'event: generation.delta\ndata: {"type":"generation.delta","requestId":"g","delta":"a"}\n\n',
      );
    },
    run: async (client, { url }) => {
      if (!client.stream) return 'no streaming';
      const read = async () => {
        for await (const _ of await client.stream(client.make(url, { timeout: 1000, retries: 0 })));
      };
      const { state, ms } = await within(read(), 4000);
      return state === 'pending' ? bad('hangs') : good(`ends after ${seconds(ms)}`);
    },
  },
  {
    title: 'Polling an unknown status',
    how: 'requests within 3 s',
    react: () => (_, response) => json(response, 200, { ...success, status: 'postponed' }),
    run: async (client, { url, seen }) => {
      if (!client.poll) return 'does not poll';
      const { state, value, error } = await within(client.poll(client.make(url, {})), 3000);
      if (state === 'pending')
        return seen.length > 10
          ? bad(`${seen.length} requests`)
          : good(`keeps waiting, ${seen.length} requests`);
      return state === 'resolved' ? bad(`resolves as ${value?.status}`) : `rejects: ${error?.name}`;
    },
  },
  {
    title: "The ids `''` and `'..'`",
    how: 'the path that reaches the server',
    react: () => (_, response) => json(response, 200, success),
    run: async (client, { url, seen }) => {
      const hits = [];
      for (const id of ['', '..']) {
        const before = seen.length;
        await within((async () => client.get(client.make(url, {}), id))(), 2000);
        if (seen.length > before)
          hits.push(`${JSON.stringify(id).replaceAll('"', "'")} → \`${seen[before].url}\``);
      }
      return hits.length === 0 ? good('both rejected') : bad(hits.join(', '));
    },
  },
  {
    title: 'An error as JSON',
    how: 'name and message in `JSON.stringify(error)`',
    react: () => (_, response) => failure(response, 400, 'invalid_request'),
    run: async (client, { url }) => {
      const { error } = await within(client.post(client.make(url, { retries: 0 })), 3000);
      if (!error) return 'no error';
      const text = JSON.stringify(error) ?? '';
      const { name, message } = JSON.parse(text || '{}');
      if (name && message) return good('both');
      if (text.includes('the service says why')) return 'contains the message';
      return bad(name ? 'message lost' : 'both lost');
    },
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
    react: () => (_, response) => failure(response, 503, 'unavailable', { 'retry-after': '3' }),
    run: async (client, { url, seen }) => {
      if (client.post.length < 2) return 'accepts no signal';
      const controller = new AbortController();
      const call = client.post(client.make(url, {}), { signal: controller.signal });
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
  },
  ...limits,
];
