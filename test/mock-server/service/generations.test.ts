import { expect, test, vi } from 'vitest';
import { GenerationFailure } from '../../../mock-server/index.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { begun, contractServer, GENERATE, inbox, openStream, rejection } from './helpers.ts';

const webhookUrl = 'https://app.example/cb';

interface Generation {
  requestId: string;
  status: string;
  createdAt: string;
  completedAt: string;
  result: string;
  usage: { totalTokens: number; promptTokens: number; completionTokens: number };
}

test('an asynchronous generation completes after its processing time, and its callback is posted', async () => {
  const on = contractServer({ processingTime: 1000 });
  const { ok, mock } = on;
  const received = inbox(on, webhookUrl);
  const { requestId } = await ok<Generation>('POST', GENERATE, {
    prompt: 'Later',
    webhookUrl,
    metadata: { article: '42' },
  });
  await mock.clock.advance(999);
  expect(await ok('GET', `${GENERATE}/${requestId}`)).toMatchObject({ status: 'processing' });
  await mock.clock.advance(1);
  const done = await ok<Generation>('GET', `${GENERATE}/${requestId}`);
  expect(done).toMatchObject({ status: 'completed', completedAt: '2026-01-01T00:00:01.000Z' });
  expect(received).toEqual([
    {
      requestId,
      status: 'completed',
      model: 'content-1',
      result: done.result,
      usage: done.usage,
      metadata: { article: '42' },
      completedAt: '2026-01-01T00:00:01.000Z',
    },
  ]);
});

test('a failed generation posts its error instead of result and usage', async () => {
  const on = contractServer();
  const received = inbox(on, webhookUrl);
  const { requestId } = await on.ok<Generation>('POST', GENERATE, {
    prompt: '[[fail: no ink]]',
    webhookUrl,
  });
  await on.mock.settle();
  const error = { code: 'generation_failed', message: 'no ink' };
  const completedAt = '2026-01-01T00:00:00.000Z';
  expect(received).toEqual([
    { requestId, status: 'failed', model: 'content-1', error, completedAt },
  ]);
  expect(await on.ok('GET', `${GENERATE}/${requestId}`)).toMatchObject({ status: 'failed', error });
});

test("revoking the caller's key stops neither its generation nor the callback", async () => {
  const on = contractServer({ processingTime: 1000 });
  const received = inbox(on, webhookUrl);
  const { id, key } = await on.ok<{ id: string; key: string }>('POST', '/api/auth/api-keys');
  await on.ok('POST', GENERATE, { prompt: 'Later', webhookUrl }, { key });
  await on.ok('POST', `/api/auth/api-keys/${id}/revoke`);
  await on.mock.clock.advance('1 second');
  expect(received).toMatchObject([{ status: 'completed' }]);
});

test('only a processing generation can be canceled, and it stays canceled', async () => {
  const { call, ok, mock } = contractServer({ processingTime: 1000 });
  const { requestId } = await ok<Generation>('POST', GENERATE, { prompt: 'Later', webhookUrl });
  await ok('POST', `${GENERATE}/${requestId}/cancel`);
  await mock.clock.advance('1 hour');
  const canceled = await ok<Generation>('GET', `${GENERATE}/${requestId}`);
  expect(canceled).toMatchObject({ status: 'canceled' });
  expect(canceled).not.toHaveProperty('result');
  expect(mock.deliveries()).toEqual([]);
  const done = await ok<Generation>('POST', GENERATE, { prompt: 'Now' });
  const late = await call('POST', `${GENERATE}/${done.requestId}/cancel`);
  expect(await rejection(late)).toEqual([409, 'invalid_state']);
});

test('canceling aborts the generator, and a synchronous caller gets a 409', async () => {
  let aborted = false;
  const { mock, call, ok } = contractServer({
    generator: async function* (_, { signal }) {
      yield 'begun';
      await new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason);
        });
      });
    },
  });
  const running = begun(mock);
  const response = call('POST', GENERATE, { prompt: 'For ever' });
  await running;
  const { data } = await ok<{ data: Generation[] }>('GET', `${GENERATE}?status=processing`);
  await ok('POST', `${GENERATE}/${data[0]?.requestId}/cancel`);
  expect(await rejection(await response)).toEqual([409, 'invalid_state']);
  expect(aborted).toBe(true);
});

test('a stream sends a ping after ten seconds of silence', async () => {
  fakePlatform({ toFake: ['setInterval', 'clearInterval'] });
  const { mock } = contractServer({
    generator: async function* () {
      yield 'begun';
      yield await new Promise<string>(() => {});
    },
  });
  const reader = await openStream(mock);
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  let begun = '';
  while (!begun.includes('begun')) begun += await read();
  for (let turns = 0; turns < 2; turns += 1) {
    const next = read();
    vi.advanceTimersByTime(10_000);
    expect(await next).toBe(': ping\n\n');
  }
  await reader.cancel();
  expect(vi.getTimerCount()).toBe(0);
});

test('an unknown model is rejected', async () => {
  const { call } = contractServer({ models: ['mine'] });
  const unknown = await call('POST', GENERATE, { prompt: 'p', model: 'nope' });
  expect(await unknown.clone().json()).toMatchObject({ errors: [{ pointer: '/model' }] });
  expect(await rejection(unknown)).toEqual([422, 'model_not_found']);
  expect((await call('POST', GENERATE, { prompt: 'p', model: 'mine' })).status).toBe(200);
});

test('maxTokens limits the result, and the generation is still completed', async () => {
  const { ok } = contractServer();
  const long = { prompt: `[[say: ${'river '.repeat(400)}]]` };
  const whole = await ok<Generation>('POST', GENERATE, long);
  const cut = await ok<Generation>('POST', GENERATE, { ...long, maxTokens: 20 });
  expect(whole.usage.completionTokens).toBeGreaterThan(300);
  expect(cut.status).toBe('completed');
  expect(cut.usage.completionTokens).toBeLessThanOrEqual(20);
  expect(whole.result.startsWith(cut.result)).toBe(true);
  expect(cut.result.length).toBeGreaterThan(20);
});

test('token counts add up, and each is at least one', async () => {
  const { ok } = contractServer({ generator: async function* () {} });
  const { usage, result } = await ok<Generation>('POST', GENERATE, { prompt: '?' });
  expect(result).toBe('');
  expect(usage).toEqual({ totalTokens: 2, promptTokens: 1, completionTokens: 1 });
});

test('a token is four characters, and maxTokens never splits a character', async () => {
  const { ok } = contractServer();
  const prompt = '[[say: 123 123🙂 123]]';
  const { usage, result } = await ok<Generation>('POST', GENERATE, { prompt, maxTokens: 2 });
  expect(result).toBe('123 123');
  expect(usage).toEqual({ totalTokens: 8, promptTokens: 6, completionTokens: 2 });
});

test('the default text depends only on model, prompt and seed', async () => {
  const { ok } = contractServer();
  const text = async (body: object) => (await ok<Generation>('POST', GENERATE, body)).result;
  const prompt = 'Explain rivers to me';
  expect(await text({ prompt })).toBe(await text({ prompt }));
  expect(await text({ prompt, seed: 1 })).toBe(await text({ prompt, seed: 1 }));
  const variants = await Promise.all([1, 2, 3, 4].map((seed) => text({ prompt, seed })));
  expect(new Set(variants).size).toBeGreaterThan(1);
});

test.each([false, true])(
  'the message of a GenerationFailure is shown to the caller; that of any other error is not (stream: %j)',
  async (stream) => {
    const failing = async (error: Error) => {
      const { call } = contractServer({
        onError: () => {},
        generator: async function* () {
          yield 'so far';
          throw error;
        },
      });
      return (await call('POST', GENERATE, { prompt: 'p', stream })).text();
    };
    const shown = await failing(new GenerationFailure('The model is asleep.'));
    expect(shown).toContain('generation_failed');
    expect(shown).toContain('The model is asleep.');
    expect(await failing(new Error('sk-secret'))).not.toContain('sk-secret');
  },
);

test('processing times are drawn between their bounds', async () => {
  const { ok, mock } = contractServer({ processingTime: { min: 1000, max: 5000 }, seed: 7 });
  for (let turn = 0; turn < 5; turn += 1) await ok('POST', GENERATE, { prompt: 'p', webhookUrl });
  await mock.clock.advance('10 seconds');
  const { data } = await ok<{ data: Generation[] }>('GET', GENERATE);
  const drawn = data.map(
    ({ createdAt, completedAt }) => Date.parse(completedAt) - Date.parse(createdAt),
  );
  expect(new Set(drawn).size).toBe(5);
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1000);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(5000);
});
