import { expect, test } from 'vitest';
import { begun, contractServer, GENERATE, generate, rejection } from './helpers.ts';

const once = { headers: { 'idempotency-key': 'once' } };
const KEYS = '/api/auth/api-keys';
const prompt = 'A haiku about TCP';

test('prefix and alias make no difference; bytes do', async () => {
  const { call } = contractServer();
  const { id } = await (await call('POST', KEYS, {}, once)).json();
  const alias = await call('POST', '/v2/api-keys/generate', {}, once);
  expect((await alias.json()).id).toBe(id);
  const spaced = await call('POST', KEYS, {}, { ...once, raw: '{ }' });
  expect(await rejection(spaced)).toEqual([422, 'idempotency_key_reused']);
});

test('one key for a whole collection does no harm: its scope is the operation and the path parameters', async () => {
  const { call, ok } = contractServer();
  const first = await ok<{ id: string }>('POST', KEYS, { name: 'first' }, once);
  const second = await ok<{ id: string }>('POST', KEYS, { name: 'second' });
  const made = await call('POST', GENERATE, { prompt }, once);
  expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([200, null]);
  for (const { id } of [first, second]) {
    const revoked = await call('POST', `${KEYS}/${id}/revoke`, undefined, once);
    expect(revoked.headers.get('idempotency-replayed')).toBeNull();
    expect(await revoked.json()).toMatchObject({ id, status: 'revoked' });
    const again = await call('POST', `/v2${KEYS}/${id}/revoke`, undefined, once);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  }
});

test('a key is kept for 24 hours, per project, and then forgotten', async () => {
  const { call, mock } = contractServer();
  const generated = async (options: object = {}) =>
    (await (await call('POST', GENERATE, { prompt }, { ...once, ...options })).json()).requestId;
  const requestId = await generated();
  const tenant = mock.createOrganization();
  expect(await generated({ key: tenant.adminKey })).not.toBe(requestId);
  await mock.clock.advance('12 hours');
  await generated({ headers: { 'idempotency-key': 'later' } });
  await mock.clock.advance(43_200_000 - 1);
  expect(await generated()).toBe(requestId);
  const kept = () => mock.snapshot().state.idempotency?.length;
  expect(kept()).toBe(3);
  await mock.clock.advance(1);
  expect(kept()).toBe(1);
  expect(await generated()).not.toBe(requestId);
});

test('not_found and invalid_state are replayed with the id of the new request', async () => {
  const { call } = contractServer();
  const path = `${KEYS}/key_nope/revoke`;
  const first = await (await call('POST', path, undefined, once)).json();
  const again = await call('POST', path, undefined, once);
  const problem = await again.clone().json();
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(problem.requestId).toBe(again.headers.get('x-request-id'));
  expect({ ...problem, requestId: '' }).toEqual({ ...first, requestId: '' });
});

test('a rejection before the operation leaves the key free', async () => {
  const { call, mock } = contractServer({ quota: 1 });
  const rejected = [
    await call('POST', GENERATE, {}, { ...once, raw: '{' }),
    await call('POST', GENERATE, { prompt: '' }, once),
    await call('POST', GENERATE, {}, { ...once, raw: 'x'.repeat(1024 * 1024 + 1) }),
    await call('POST', GENERATE, { prompt: '[[fail]]' }, once),
  ];
  expect(rejected.map(({ status }) => status)).toEqual([400, 422, 413, 500]);
  mock.faults.add({ operation: 'generateContent', times: 1, effect: { status: 503 } });
  expect((await call('POST', GENERATE, { prompt }, once)).status).toBe(503);
  expect((await call('POST', GENERATE, { prompt }, once)).status).toBe(200);
});

test('a first caller that aborts leaves its response to the second', async () => {
  let go = () => {};
  const generator = async function* () {
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    yield 'late';
  };
  const { call, mock } = contractServer({ generator });
  const started = begun(mock);
  const controller = new AbortController();
  const first = generate(mock, { prompt }, { ...once, signal: controller.signal });
  await started;
  controller.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  const second = await call('POST', GENERATE, { prompt }, once);
  expect(second.headers.get('retry-after')).toBe('1');
  expect(await rejection(second)).toEqual([409, 'idempotency_in_progress']);
  go();
  await mock.settle();
  const third = await call('POST', GENERATE, { prompt }, once);
  expect(third.headers.get('idempotency-replayed')).toBe('true');
  expect(await third.json()).toMatchObject({ status: 'completed', result: 'late' });
});

test('of a hundred simultaneous requests with one key, one runs', async () => {
  const { call, mock } = contractServer();
  const all = Array.from({ length: 100 }, () => call('POST', KEYS, { name: 'one' }, once));
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect([...new Set(statuses)].sort()).toEqual([201, 409]);
  expect(mock.events().filter(({ type }) => type === 'api_key.created')).toHaveLength(3);
});

test('an API key in a response is never stored in plaintext and is replayed for only one hour', async () => {
  const { call, mock } = contractServer();
  const { key } = await (await call('POST', KEYS, {}, once)).json();
  const stored = JSON.stringify(mock.snapshot());
  expect(stored).not.toContain(key);
  expect(stored).not.toContain(mock.adminKey);
  expect(stored).not.toContain('"once"');
  await mock.clock.advance(3_600_000 - 1);
  expect((await (await call('POST', KEYS, {}, once)).json()).key).toBe(key);
  await mock.clock.advance(1);
  expect(mock.snapshot().state.idempotency).toMatchObject([{ secret: { sealed: '' } }]);
  const late = await call('POST', KEYS, {}, once);
  expect(await rejection(late)).toEqual([409, 'invalid_state']);
});

test('a malformed key is rejected', async () => {
  const { call } = contractServer();
  const send = (key: string) =>
    call('POST', GENERATE, { prompt }, { headers: { 'idempotency-key': key } });
  for (const key of ['', 'a b', 'x'.repeat(256), 'schlüssel'])
    expect(await rejection(await send(key))).toEqual([400, 'invalid_request']);
  expect((await send('x'.repeat(255))).status).toBe(200);
});
