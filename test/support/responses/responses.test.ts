import { expect, test } from 'vitest';
import { checkResponse, type RecordedResponse } from './check-response.ts';

const shared = {
  'x-request-id': 'req_01kdvdna00wnsnh3678mj9n0y7',
  'api-version': '2',
  'access-control-allow-origin': '*',
};
const generation = {
  requestId: 'gen_01kdvdna00wnsnh3678mj9n0y7',
  status: 'completed',
  model: 'content-1',
  result: 'text',
  usage: { totalTokens: 2, promptTokens: 1, completionTokens: 1 },
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:00:00.000Z',
};
const got: RecordedResponse = {
  method: 'GET',
  path: `/api/ai/content/generate/${generation.requestId}`,
  status: 200,
  headers: { ...shared, 'content-type': 'application/json' },
  body: JSON.stringify(generation),
  effects: [],
  of: 'a test',
};
const { 'x-request-id': _id, ...withoutId } = { ...got.headers };

test('a response that matches the contract passes', () => {
  expect(checkResponse(got)).toEqual([]);
});

test.each<[string, RecordedResponse, string]>([
  [
    'a wrong type',
    { ...got, body: JSON.stringify({ ...generation, model: 7 }) },
    'getGeneration 200 at /model: must be string',
  ],
  ['an unknown status', { ...got, status: 418 }, 'declares no such status'],
  ['no request id', { ...got, headers: withoutId }, 'getGeneration 200: no header x-request-id'],
])('a response that breaks the contract is reported: %s', (_, response, fault) => {
  expect(checkResponse(response)).toContainEqual(expect.stringContaining(fault));
});

test('an injected fault excuses only what it changes', () => {
  const fault = (effect: Record<string, unknown>) => ({ effects: [{ operation: '*', effect }] });
  const cut = { ...got, body: '{"requ' };
  expect(checkResponse({ ...cut, ...fault({ delay: 5 }) })).toHaveLength(1);
  expect(checkResponse({ ...cut, ...fault({ truncate: 6 }) })).toEqual([]);
  expect(checkResponse({ ...cut, ...fault({ truncate: 6 }), headers: withoutId })).not.toEqual([]);
});
