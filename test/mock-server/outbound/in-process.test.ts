import { expect, test } from 'vitest';
import {
  createReceivers,
  type InProcessReceiver,
  receiversFirst,
} from '../../../mock-server/outbound/in-process.ts';

const url = 'https://app.example/hooks?team=a';
const never = new AbortController().signal;
const network = async () => ({ status: 299, snippet: 'network' });

function send(receiver: InProcessReceiver, { at = url, to = url, signal = never } = {}) {
  const transport = receiversFirst(createReceivers().set(at, receiver), network);
  const body = new TextEncoder().encode('{"a":"é"}');
  return transport(
    { url: to, headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' }, body },
    { signal },
  );
}

test('a receiver function gets the same request as over the network', async () => {
  const requests: Request[] = [];
  const outcome = await send((request) => {
    requests.push(request);
    return new Response('thanks', { status: 202, headers: { 'Retry-After': '7' } });
  });
  expect(outcome).toMatchObject({ status: 202, retryAfter: '7', snippet: 'thanks' });
  const [request] = requests;
  expect([request?.method, request?.url, request?.headers.get('webhook-id')]).toEqual([
    'POST',
    url,
    'msg_1',
  ]);
  expect(await request?.text()).toBe('{"a":"é"}');
});

test.each([
  ['its exact address', url, url],
  ['another spelling of its address', 'https://app.example/', 'https://APP.example'],
  ['its address without the query', 'https://app.example/hooks', url],
])('a receiver function is found by %s', async (_, at, to) => {
  expect(await send(() => new Response('function'), { at, to })).toMatchObject({
    snippet: 'function',
  });
});

test.each([
  ['another path', 'https://app.example/hooks/more'],
  ['another host', 'https://app.example.evil.test/hooks'],
  ['another scheme', 'http://app.example/hooks?team=a'],
])('%s goes to the network', async (_, to) => {
  expect(await send(() => new Response('function'), { to })).toEqual({
    status: 299,
    snippet: 'network',
  });
});

test.each(['/callbacks', 'localhost:3000/callbacks', '', new URL(url)])(
  'a receiver function for %o, to which no delivery goes, is refused',
  (at) => {
    const set = () => createReceivers().set(at as string, () => new Response());
    expect(set).toThrow(/^Failed to set a receiver: .+ Pass the whole URL/);
  },
);

test.each<[string, InProcessReceiver]>([
  [
    'throws',
    () => {
      throw new Error('broken');
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
  ['returns nothing', () => undefined as unknown as Response],
  ['returns an error', () => Response.error()],
  [
    'breaks off its response',
    () =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.error(new Error('off')) }),
      ),
  ],
])('a receiver function that %s counts as a failed connection', async (_, receiver) => {
  expect(await send(receiver)).toMatchObject({ error: 'connection' });
});
