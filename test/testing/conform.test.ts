import { describe, expect, test } from 'vitest';
import type { Deployment } from '../../src/index.ts';
import { mutants } from './conform-mutants.ts';
import { conform, differences } from './conform-world.ts';

test('the reference server passes every clause within the budget, and nothing is left', async () => {
  const report = await conform({});
  expect(differences(report)).toEqual({});
  expect(report.results).toHaveLength(38);
  expect(report.results.filter(({ verdict }) => verdict === 'not_observable')).toEqual([]);
  expect(report.left).toEqual([]);
  expect(report.spent.requests).toBeLessThanOrEqual(35);
  expect(report.spent.tokens).toBeLessThanOrEqual(1000);
  expect(report.deployment).toEqual({ conformance: expect.anything() });
});

const sha512 = {
  ...{ type: 'plain-hmac', algorithm: 'sha512', prefix: 'sha512=', header: 'X-Hub' },
  envelopeHeaders: false,
};

/** Servers that differ, and the clauses that say so. */
const deviating: Readonly<
  Record<string, readonly [Deployment, Readonly<Record<string, unknown>>]>
> = {
  wrapped: [{ wrap: 'data' }, { 'usage.get': { wrap: 'data' } }],
  'key renamed': [{ fields: { key: 'apiKey' } }, { 'keys.shown': { fields: { key: 'apiKey' } } }],
  'key like another field': [
    { fields: { key: 'secret', secret: 'key' } },
    {
      'keys.shown': { fields: { key: 'secret' } },
      'registrations.secret': { fields: { secret: 'key' } },
    },
  ],
  'request id is id': [
    { fields: { requestId: 'id' } },
    { 'generate.result': { fields: { requestId: 'id' } } },
  ],
  'deep names': [
    { fields: { 'usage.totalTokens': 'tokens.total', result: 'output.text' } },
    {
      'generate.result': {
        fields: { 'usage.totalTokens': 'tokens.total', result: 'output.text' },
      },
    },
  ],
  'their words': [
    { statuses: { completed: 'succeeded', failed: 'errored', processing: 'queued' } },
    {
      'generate.result': { statuses: { completed: 'succeeded' } },
      'acknowledgement.status': { statuses: { processing: 'queued' } },
    },
  ],
  'a callback field, and a wrapper': [
    { wrap: 'payload', webhookUrlField: 'callback_url' },
    {
      'usage.get': { wrap: 'payload' },
      'generate.webhook-url': { webhookUrlField: 'callback_url' },
    },
  ],
  'plain hex': [
    { scheme: { type: 'plain-hmac' }, secretEncoding: 'utf8' },
    {
      'callback.signature': {
        scheme: { type: 'plain-hmac' },
        secretEncoding: 'utf8',
      },
    },
  ],
  'prefixed sha512, without envelope': [
    { scheme: sha512, secretEncoding: 'hex' },
    {
      'callback.signature': {
        scheme: { ...sha512, header: 'x-hub' },
        secretEncoding: 'hex',
      },
    },
  ],
  token: [
    { scheme: { type: 'token', header: 'X-Callback-Token' } },
    { 'callback.signature': { scheme: { type: 'token', header: 'x-callback-token' } } },
  ],
  'hex secrets': [
    { secretEncoding: 'hex' },
    { 'callback.signature': { scheme: { type: 'standard' }, secretEncoding: 'hex' } },
  ],
  'own paths': [
    { paths: { createApiKey: '/api-keys/generate', generateContent: '/v1/generate' } },
    {
      'generate.path': { paths: { generateContent: '/v1/generate' } },
      'keys.create': { paths: { createApiKey: '/api-keys/generate' } },
    },
  ],
  'own event names': [
    { eventNames: { usage_threshold: 'usage.threshold' } },
    { 'registrations.event': { eventNames: { usage_threshold: 'usage.threshold' } } },
  ],
  'own idempotency header': [
    { idempotency: 'X-Request-Token' },
    { 'idempotency.replay': { idempotency: 'X-Request-Token' } },
  ],
  'no idempotency': [
    { idempotency: false, fields: { nextCursor: 'next' } },
    {
      'idempotency.replay': { idempotency: false },
      'list.cursor': { fields: { nextCursor: 'next' } },
    },
  ],
  'own prompt': [
    { fields: { prompt: 'input.text' } },
    { 'generate.prompt': { fields: { prompt: 'input.text' } } },
  ],
  'no list, no usage': [
    { absent: ['listGenerations', 'getUsage'] },
    {
      'list.page': { absent: ['listGenerations'] },
      'usage.get': { absent: ['getUsage'] },
    },
  ],
  'no cancel': [
    { absent: ['cancelGeneration'] },
    { 'cancel.processing': { absent: ['cancelGeneration'] } },
  ],
  'fields of a list': [
    { fields: { data: 'items', requestId: 'job_id' } },
    {
      'generate.result': { fields: { requestId: 'job_id' } },
      'list.page': { fields: { data: 'items' } },
    },
  ],
  'status under another name': [
    { fields: { status: 'state' }, statuses: { processing: 'pending' } },
    {
      'generate.result': { fields: { status: 'state' } },
      'acknowledgement.status': { statuses: { processing: 'pending' } },
    },
  ],
};

describe('a server that differs', () => {
  test.each(Object.entries(deviating))('%s', async (_, [deployment, expected]) => {
    const report = await conform({ mock: { deployment } });
    expect(differences(report)).toEqual(expected);
  });
});

describe('a server that breaks one clause', () => {
  test.each(Object.entries(mutants))('%s', async (id, world) => {
    const report = await conform(world);
    expect(Object.keys(differences(report))).toEqual([id]);
    const { verdict, source } = report.results.find((one) => one.id === id) ?? {};
    expect(verdict === 'failed').toBe(source !== 'ours');
  });

  test('exists for each clause', async () => {
    const { results } = await conform({});
    expect(Object.keys(mutants).sort()).toEqual(results.map(({ id }) => id).sort());
  });
});
