import { fetch as undiciFetch } from 'undici';
import { bad, good, withServer } from './outcome.mjs';
import { failure, json, success, within } from './server.mjs';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Outages, and services and transports that are not as a client expects. */
export const hostile = [
  {
    title: 'An outage while waiting for a job',
    how: 'every poll gets 503 for 4 s, then the job is completed; observed for 20 s',
    run: (client) => {
      let start;
      return withServer(
        (_, response) => {
          start ??= performance.now();
          if (performance.now() - start < 4000) failure(response, 503, 'unavailable');
          else json(response, 200, success);
        },
        async ({ url, seen }) => {
          if (!client.poll) return 'does not poll';
          const { state, error } = await within(client.poll(client.make(url, {})), 20_000);
          if (state === 'resolved') return good(`resolves after ${seen.length} requests`);
          return bad(state === 'pending' ? 'still waiting' : `gives up: ${error?.name}`);
        },
      );
    },
  },
  {
    title: 'A service that only calls back',
    how: 'every poll gets 404; the callback comes after 1 s',
    run: (client) =>
      withServer(
        (_, response) => failure(response, 404, 'not_found'),
        async ({ url }) => {
          if (!client.waitForCallback) return 'does not wait for callbacks';
          const results = {
            waitFor: async () => {
              await sleep(1000);
              return { type: 'generation_completed', payload: success };
            },
          };
          const wait = client.waitForCallback(client.make(url, {}), results);
          const { state, error } = await within(wait, 5000);
          return state === 'resolved' ? good('resolves') : bad(error?.name ?? 'hangs');
        },
      ),
  },
  {
    title: "undici's fetch as the transport",
    how: 'with middleware, if the client has any',
    run: (client) =>
      withServer(
        (_, response) => json(response, 200, success),
        async ({ url }) => {
          if (!client.withFetch) return 'not tested';
          const call = client.post(client.withFetch(client.make(url, {}), undiciFetch));
          const { state, error } = await within(call, 4000);
          return state === 'resolved' ? good('sent') : bad(error?.message?.slice(0, 60) ?? 'hangs');
        },
      ),
  },
  {
    title: 'A stream that is canceled before its first read',
    how: 'as a `ReadableStream`; does the connection close within 3 s?',
    run: (client) => {
      let isClosed = false;
      return withServer(
        (request, response) => {
          request.socket.on('close', () => {
            isClosed = true;
          });
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(': open\n\n');
        },
        async ({ url }) => {
          if (!client.webStream) return 'no such stream';
          const stream = await client.webStream(client.make(url, {}));
          await within(stream.cancel(), 1000);
          for (let turn = 0; turn < 20 && !isClosed; turn += 1) await sleep(100);
          return isClosed ? good('closes it') : bad('leaves it open');
        },
      );
    },
  },
  {
    title: '`q=0` in `RateLimit-Policy`',
    how: 'a suspended tenant: 200 with nothing left; three calls, observed for 5 s',
    run: (client) =>
      withServer(
        (_, response) =>
          json(response, 200, success, {
            'ratelimit-policy': '"default";q=0;w=60',
            ratelimit: '"default";r=0;t=0',
          }),
        async ({ url }) => {
          const made = client.make(url, {});
          for (let call = 0; call < 3; call += 1) {
            const { state } = await within(client.post(made), 5000);
            if (state === 'pending') return bad(`call ${call + 1} hangs`);
          }
          return good('no call hangs');
        },
      ),
  },
];
