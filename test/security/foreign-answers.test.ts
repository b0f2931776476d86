import { Readable } from 'node:stream';
import { connectMock } from 'contentgen/mock/remote';
import { auditReceiver, runConformance } from 'contentgen/testing';
import { expect, test } from 'vitest';
import { invoke } from '../mock-server/cli/invoke.ts';
import { serve } from '../support/sockets.ts';

const secret = `whsec_${'A'.repeat(32)}`;

test('no tool follows a redirect with what it was given', async () => {
  const received: string[] = [];
  const stranger = await serve(({ url = '' }, response) => {
    received.push(url);
    response.end('0');
  });
  const redirecting = await serve((_, response) => {
    response.writeHead(307, { location: `${stranger}/stolen` }).end();
  });
  const token = 'control-token-of-the-server';
  await connectMock(redirecting, { token })
    .clock.now()
    .catch(() => undefined);
  for (const line of [
    ['doctor', '--url', redirecting, '--api-key', 'a'.repeat(20)],
    ['keys', 'list', '--url', redirecting, '--api-key', 'a'.repeat(20)],
    ['trigger', 'usage_threshold', '--url', redirecting, '--control-token', token],
    ['conform', '--base-url', redirecting, '--api-key', 'a'.repeat(20), '--timeout', '1'],
    ['audit', redirecting, '--secret', secret, '--effects', redirecting],
  ]) {
    expect((await invoke(line)).code).not.toBe(0);
  }
  expect(received).toEqual([]);
}, 60_000);

test.each(['[', '{"a":'])(
  'JSON that nests %s without an end is a finding of conform',
  async (open) => {
    const close = open === '[' ? ']' : '}';
    for (const depth of [1000, 20_000]) {
      const body = `${open.repeat(depth)}1${close.repeat(depth)}`;
      const baseUrl = await serve((_, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(body);
      });
      const report = await runConformance({ baseUrl, apiKey: 'a'.repeat(20), timeoutMs: 1000 });
      expect(JSON.stringify(report)).not.toMatch(/RangeError|call stack|\.ts:\d/);
    }
  },
  60_000,
);

test('a body that is nothing like the contract is reported in a sentence', async () => {
  const odd = { result: 'deliveries', data: [{ id: 'key_1' }], nextCursor: null };
  const url = await serve((_, response) => void response.end(JSON.stringify(odd)));
  const listed = await invoke(['keys', 'list', '--url', url, '--api-key', 'a'.repeat(20)]);
  expect(listed.out).toMatch(/^key_1 {2}undefined/);
  const triggered = await invoke(['trigger', 'usage_threshold', '--url', url]);
  expect(triggered).toMatchObject({ code: 1, out: '' });
  expect(triggered.err).toContain(`${url} did not respond with a list of deliveries.`);
});

test('a control API whose result never ends is left after the largest result there can be', async () => {
  const chunk = new Uint8Array(512 * 1024 * 1024);
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
  const control = connectMock('http://mock.test', {
    fetch: () => Promise.resolve(new Response(body)),
  });
  await expect(control.snapshot()).rejects.toMatchObject({ code: 'unexpected_response' });
});

test('audit reads of a response what the service reads, and of a counter a number', async () => {
  let requests = 0;
  let read = 0;
  const chunk = new Uint8Array(1024).fill(120);
  const endless = () =>
    new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          read += chunk.length;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
  const receiver = () => {
    requests += 1;
    return new Response(endless());
  };
  const report = await auditReceiver(receiver, { secret, wait: async () => {} });
  expect(report.results.find(({ name }) => /^accepts/.test(name))).toMatchObject({ got: '200' });
  expect(read / requests).toBeLessThanOrEqual(17 * 1024);
  const url = await serve((request, response) => {
    request.resume();
    if (request.method === 'HEAD') return void response.end();
    Readable.from(endless()).pipe(response);
  });
  const counted = await invoke(['audit', url, '--secret', secret, '--effects', url]);
  expect(counted.err).toMatch(/Failed to read the number of effects/);
}, 60_000);
