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
  if (seen.length < 2) return 'no retry: the caller must';
  const keys = new Set(seen.map(idempotencyKey));
  if (keys.size === 1 && !keys.has(undefined)) return good('retried under one key');
  return bad(
    keys.has(undefined) ? 'retried without a key: may be paid twice' : 'retried under another key',
  );
}

/** Each fault, run against one client; what is measured is the column's text. */
export const faults = [
  {
    title: 'A billable POST whose answer is lost',
    how: 'the connection is cut after the request was taken, once',
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
    how: 'watched for 4 s',
    run: (client) =>
      withServer(
        (_, response) => failure(response, 429, 'rate_limited', { 'retry-after': '120' }),
        async ({ url, seen }) => {
          const { state, error } = await within(client.post(client.make(url, {})), 4000);
          if (seen.length > 1) return bad(`asked again after ${seconds(seen[1].at - seen[0].at)}`);
          if (state === 'pending') return good('waits');
          return error?.retryAt ? good('fails, says when') : 'fails at once';
        },
      ),
  },
  {
    title: 'Retries switched off with 0',
    how: '503 for ever',
    run: (client) =>
      withServer(
        (_, response) => failure(response, 503, 'unavailable'),
        async ({ url, seen }) => {
          if (client.make.length < 2) return 'has no such option';
          await within(client.post(client.make(url, { retries: 0 })), 3000);
          return seen.length === 1 ? good('one request') : bad(`${seen.length} requests`);
        },
      ),
  },
  {
    title: 'A timeout of NaN',
    how: 'a server that never answers, watched for 2 s',
    run: (client) =>
      withServer(
        () => {},
        async ({ url }) => {
          if (client.make.length < 2) return 'has no such option';
          let made;
          try {
            made = client.make(url, { timeout: Number.NaN, retries: 0 });
          } catch {
            return good('refused when made');
          }
          const { state, error } = await within(client.post(made), 2000);
          if (state === 'pending') return bad('waits for ever');
          // A refusal names the rule; an error of the transport, or a time-out at once, does not.
          return /must be|integer|NaN|number/i.test(String(error?.message))
            ? good('refused when called')
            : bad(`ends at once: ${error?.name}: ${String(error?.message).slice(0, 60)}`);
        },
      ),
  },
  {
    title: 'A body that stalls',
    how: 'headers and half a body, limit 1 s, no retries, watched for 4 s',
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
    title: 'A stream that stalls',
    how: 'headers and one event, limit 1 s, watched for 4 s',
    run: (client) =>
      withServer(
        (_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(
            'event: generation.delta\ndata: {"type":"generation.delta","requestId":"g","delta":"a"}\n\n',
          );
        },
        async ({ url }) => {
          if (!client.stream) return 'has no streams';
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
    how: 'requests within 3 s, and whether it goes on',
    run: (client) =>
      withServer(
        (_, response) => json(response, 200, { ...success, status: 'postponed' }),
        async ({ url, seen }) => {
          if (!client.poll) return 'does not poll';
          const { state, value, error } = await within(client.poll(client.make(url, {})), 3000);
          if (state === 'pending')
            return seen.length > 10
              ? bad(`${seen.length} requests`)
              : good(`waits on, ${seen.length} requests`);
          return state === 'resolved'
            ? bad(`resolves as ${value?.status}`)
            : `rejects: ${error?.name}`;
        },
      ),
  },
  {
    title: "The ids `''` and `'..'`",
    how: 'what is asked of the server',
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
          return hits.length === 0 ? good('both refused') : bad(hits.join(', '));
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
          if (text.includes('the service says why')) return 'the message inside';
          return bad(name ? 'the message is lost' : 'both are lost');
        },
      ),
  },
  {
    title: 'A redirect to another host',
    how: 'does the credential go along?',
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
                ? bad('it does')
                : good('followed without it');
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
          if (client.post.length < 2) return 'takes no signal';
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
          return good('at once');
        },
      ),
  },
];
