import { expect, onTestFinished, test, vi } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { controlSite } from '../../../mock-server/control-api/app.ts';
import { sqliteStore } from '../../../mock-server/http/serve.ts';
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { generate as generateAt } from '../service/helpers.ts';
import { fillDisk } from './data-file.ts';

/** A server whose disk can fill up. */
function serverOnDisk(options: MockServerOptions = {}) {
  const store = sqliteStore(temporaryFile());
  const sent: string[] = [];
  const errors: unknown[] = [];
  const mock = createMockServer({
    store,
    clock: 'manual',
    seed: 1,
    onError: (error) => void errors.push(error),
    ...options,
    deliveries: {
      transport: ({ url }) => {
        sent.push(url);
        return Promise.resolve({ status: 200, snippet: '' });
      },
    },
  });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await mock.close();
    store.close();
  });
  const generate = (body: object, key = 'once') =>
    generateAt(mock, body, { headers: { 'idempotency-key': key } });
  const site = controlSite(mock);
  const reset = () =>
    site.handle(
      new Request('http://localhost/_control/call', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"call":"reset"}',
      }),
    );
  return { mock, sent, errors, fill: fillDisk, generate, reset };
}

test('a change that cannot be saved is not acknowledged, and a retry gets the first response', async () => {
  const { mock, fill, generate } = serverOnDisk();
  await internalsOf(mock).flushed();
  const full = fill();
  const rejected = await generate({ prompt: 'x' });
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await rejected.json()).toMatchObject({ code: 'unavailable' });
  full.mockRestore();
  const again = await generate({ prompt: 'x' });
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

test('a stream whose generation cannot be saved breaks off, and onError is called', async () => {
  let goOn = () => {};
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { errors, fill, generate } = serverOnDisk({
    async *generator() {
      yield 'first';
      await waiting;
      yield 'second';
    },
  });
  const response = await generate({ prompt: 'x', stream: true });
  fill();
  goOn();
  await expect(response.text()).rejects.toThrow('failed to store its state');
  expect(errors).toMatchObject([{ code: 'unsaved' }]);
});

test('a delivery whose state cannot be saved is sent later, and onError is called', async () => {
  const { mock, sent, errors, fill, generate } = serverOnDisk();
  await generate({ prompt: 'x', webhookUrl: 'https://app.example/hooks' });
  const full = fill();
  await mock.settle();
  expect(sent).toEqual([]);
  expect(errors).toMatchObject([{ code: 'unsaved' }]);
  full.mockRestore();
  await mock.clock.advance('1 minute');
  expect(sent).toEqual(['https://app.example/hooks']);
});

test('a reset on a full disk says what to do, and the same request saves it later', async () => {
  const { mock, fill, generate, reset } = serverOnDisk();
  await generate({ prompt: 'x' });
  const full = fill();
  const rejected = await reset();
  expect(rejected?.status).toBe(503);
  expect(await rejected?.json()).toMatchObject({
    code: 'unavailable',
    detail:
      'The change is in effect but could not be saved. Free up space on the disk of the data file, then retry.',
  });
  expect(mock.requests().filter(({ operation }) => operation)).toEqual([]);
  await expect(internalsOf(mock).flushed()).rejects.toMatchObject({
    code: 'unsaved',
    message: expect.stringMatching(
      /^Failed to save to .*: database or disk is full\. Free up space /,
    ),
  });
  full.mockRestore();
  expect((await reset())?.status).toBe(200);
  expect(internalsOf(mock).flushed()).toBeUndefined();
});
