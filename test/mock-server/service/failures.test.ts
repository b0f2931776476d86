import { expect, test } from 'vitest';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { endless } from '../http/endless.ts';
import { contractServer, GENERATE, rejection } from './helpers.ts';

const webhookUrl = 'https://app.example/cb';

test('an unexpected error is a 500 without details, and reaches onError', async () => {
  const errors: unknown[] = [];
  const memory = memoryStore();
  let broken = false;
  const store = {
    ...memory,
    transaction<T>(work: () => T): T {
      if (broken) throw new Error('a detail of the store');
      return memory.transaction(work);
    },
  };
  const { call } = contractServer({ store, onError: (error) => errors.push(error) });
  broken = true;
  const response = await call('POST', GENERATE, { prompt: 'p' });
  expect(await response.clone().text()).not.toContain('store');
  expect(await rejection(response)).toEqual([500, 'internal_error']);
  expect(errors).toMatchObject([{ message: 'a detail of the store' }]);
  broken = false;
  expect((await call('POST', GENERATE, { prompt: 'p' })).status).toBe(200);
});

test('an unexpected error of a generator reaches onError; an expected one or an abort does not', async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const failing = contractServer({
    onError,
    generator: async function* () {
      yield 'so far';
      throw new TypeError('a bug');
    },
  });
  expect((await failing.call('POST', GENERATE, { prompt: 'p' })).status).toBe(500);
  expect(errors).toMatchObject([{ message: 'a bug' }]);

  const { ok, mock } = contractServer({ onError, generator: endless, patience: 20 });
  const { requestId } = await ok<{ requestId: string }>('POST', GENERATE, {
    prompt: 'p',
    webhookUrl,
  });
  await mock.settle();
  await ok('POST', `${GENERATE}/${requestId}/cancel`);
  await mock.settle();
  expect(errors).toHaveLength(1);
});

test('settle rejects with the error of a job', async () => {
  const errors: unknown[] = [];
  const { mock, ok } = contractServer({
    scheme: {
      sign() {
        throw new Error('cannot sign');
      },
    },
    onError: (error) => errors.push(error),
  });
  await ok('POST', GENERATE, { prompt: 'p', webhookUrl });
  await expect(mock.settle()).rejects.toThrow('cannot sign');
  await mock.settle();
  expect(errors).toHaveLength(1);
});
