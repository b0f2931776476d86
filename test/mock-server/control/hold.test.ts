import { expect, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { served } from '../control-api/served.ts';

const TARGET = 'https://app.example/hooks';

function start(options: Parameters<typeof createMockServer>[0] = {}) {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const client = new ContentGen({ ...mock.adminOptions, maxRetries: 0 });
  const stream = () => client.content.stream({ prompt: 'A haiku' })[Symbol.asyncIterator]();
  return { mock, client, stream };
}

test('one hold holds one call, which stands still until it is released and then runs as usual', async () => {
  const { mock, client } = start();
  const held = mock.hold('createApiKey');
  const { status } = await mock.fetch(`${mock.baseUrl}/api/auth/api-keys`, { method: 'POST' });
  expect(status, 'a call that the service rejects is not held').toBe(401);
  let isLoading = true;
  const created = client.apiKeys.create({ name: 'ci' }).then((key) => {
    isLoading = false;
    return key;
  });
  await held.started;
  expect(isLoading).toBe(true);
  await client.apiKeys.create({ name: 'not held' });
  expect((await client.apiKeys.list()).data).toHaveLength(3);
  held.release();
  expect((await created).name).toBe('ci');
  expect((await client.apiKeys.list()).data).toHaveLength(4);
});

test('what a test fails is rejected with its code and message, also for a client that retries, and the operation does not run', async () => {
  const { mock } = start();
  const client = new ContentGen(mock.adminOptions);
  const held = mock.hold('createApiKey');
  const created = client.apiKeys.create({ name: 'ci' }).safe();
  await held.started;
  held.fail({ code: 'rate_limited', message: 'Too many keys.' });
  const error = { code: 'rate_limited', status: 429, problem: { detail: 'Too many keys.' } };
  expect(await created).toMatchObject({ ok: false, error });
  expect((await client.apiKeys.list()).data).toHaveLength(2);

  const generation = mock.hold('generateContent');
  const generated = client.content.generate({ prompt: 'A haiku' }).safe();
  await generation.started;
  generation.fail({ message: 'The model is overloaded.' });
  const overloaded = { generation: { error: { message: 'The model is overloaded.' } } };
  expect(await generated).toMatchObject({ ok: false, error: overloaded });

  const streamed = mock.hold('generateContent');
  const pieces = client.content.stream({ prompt: 'A haiku' })[Symbol.asyncIterator]();
  streamed.emit('Half ');
  expect((await pieces.next()).value, 'late, after part of its text').toBe('Half ');
  streamed.fail({ message: 'The model is gone.' });
  await expect(pieces.next()).rejects.toMatchObject({ code: 'generation_failed' });

  expect((await client.content.generate({ prompt: 'Another call' })).status).toBe('completed');
});

test('a page sees half of a stream, and its end when the test says so', async () => {
  const { mock, client, stream } = start();
  const held = mock.hold('generateContent');
  const pieces = stream();
  held.emit('Half ');
  expect((await pieces.next()).value).toBe('Half ');
  await held.started;
  held.emit('a stream');
  expect((await pieces.next()).value).toBe('a stream');
  held.release();
  expect(await pieces.next()).toEqual({ value: undefined, done: true });
  const [generation] = (await client.content.list()).data;
  expect(generation).toMatchObject({ status: 'completed', result: 'Half a stream' });
});

test('a generation that is awaited stands still; without text, its release makes the usual text', async () => {
  const usual = await start().client.content.generate({ prompt: 'A haiku' });
  const { mock, client } = start();
  const held = mock.hold('generateContent');
  const done = client.content.generate({ prompt: 'A haiku' });
  await held.started;
  expect((await client.content.list()).data).toMatchObject([{ status: 'processing' }]);
  held.release();
  expect((await done).result).toBe(usual.result);
});

test('the clock does not wait for a generation or a delivery that is held', async () => {
  const { mock, client } = start({ patience: Number.POSITIVE_INFINITY });
  mock.receivers.set(TARGET, () => new Response());
  const generation = mock.hold('generateContent');
  const delivery = mock.hold({ delivery: 'generation_completed' });
  const { requestId } = await client.content.generate({ prompt: 'A haiku', webhookUrl: TARGET });
  await mock.clock.advance('1 hour');
  await generation.started;
  expect((await client.content.get(requestId)).status).toBe('processing');
  generation.emit('Done');
  generation.release();
  await mock.settle();
  await delivery.started;
  await mock.clock.advance('1 hour');
  expect(mock.deliveries()).toMatchObject([{ status: 'pending', attempts: [] }]);
  delivery.fail({ message: 'The line is cut.' });
  await mock.settle();
  const attempts = [{ error: 'connection', reason: 'The line is cut.' }];
  expect(mock.deliveries()).toMatchObject([{ status: 'pending', attempts }]);
  await mock.clock.advance('1 hour');
  expect(mock.deliveries()).toMatchObject([{ status: 'delivered' }]);
});

test('a reset and a close reject what waits for a hold, and end what is held', async () => {
  const { mock, client } = start();
  const unused = mock.hold('getUsage');
  const used = mock.hold('listApiKeys');
  const list = client.apiKeys.list().safe();
  await used.started;
  mock.reset();
  await expect(unused.started).rejects.toThrow('The state was replaced.');
  expect(await list).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(await client.usage.get()).toBeDefined();
  const last = mock.hold('getUsage');
  await mock.close();
  await expect(last.started).rejects.toThrow('The mock server was closed.');
});

test('an organization holds only its own calls, and a hold that could never take effect is refused', async () => {
  const { mock, client } = start();
  const { organization } = mock.createOrganization();
  mock.hold('getUsage', { organization });
  expect(await client.usage.get()).toBeDefined();
  const hold = mock.hold as (...args: unknown[]) => { emit(text: string): void };
  expect(() => hold('generateContnt')).toThrow("Did you mean 'generateContent'?");
  expect(() => hold({ delivery: 'invoice_pad' })).toThrow("Did you mean 'invoice_paid'?");
  expect(() => hold('getUsage', { organisation: 'x' })).toThrow('organisation');
  expect(() => hold('getUsage', { organization: 'org_x' })).toThrow('org_x');
  expect(() => hold('getUsage').emit('x')).toThrow('getUsage has no text');
  expect(() => mock.hold('getUsage').fail({ code: 'nope' as never })).toThrow('code');
  expect(() => mock.hold('getUsage').fail('cut' as never)).toThrow(
    '{ message } must be an object; received a string.',
  );
});

test('a hold works by its id over the control API', async () => {
  const { mock, url } = await served();
  const remote = connectMock(url);
  const client = new ContentGen({ baseUrl: url, apiKey: mock.memberKey, maxRetries: 0 });
  const held = await remote.hold('generateContent');
  const pieces = client.content.stream({ prompt: 'A haiku' })[Symbol.asyncIterator]();
  const first = pieces.next();
  await held.started;
  await held.emit('Half');
  expect((await first).value).toBe('Half');
  await held.release();
  expect((await pieces.next()).done).toBe(true);
  const failing = await remote.hold('getUsage');
  const usage = client.usage.get().safe();
  await failing.started;
  await failing.fail({ code: 'unavailable' });
  expect(await usage).toMatchObject({ ok: false, error: { status: 503 } });
});
