import { expect, test } from 'vitest';
import { mockRules } from '../../../mock-server/composition/option-rules.ts';
import { createMockServer } from '../../../mock-server/index.ts';

test('a mock has 26 members, and what only adapters need is not among them', () => {
  expect(Object.keys(createMockServer()).sort()).toEqual(
    [
      ...['adminKey', 'memberKey', 'signingSecret', 'organization', 'baseUrl'],
      ...['clientOptions', 'adminOptions', 'issueToken', 'createOrganization'],
      ...['clock', 'settle', 'hold', 'trigger', 'faults', 'receivers'],
      ...['requests', 'deliveries', 'events', 'redeliver', 'coverage', 'billing'],
      ...['snapshot', 'restore', 'reset', 'fetch', 'close'],
    ].sort(),
  );
});

test('createMockServer has 22 options', () => {
  expect(Object.keys(mockRules).sort()).toEqual(
    [
      ...['baseUrl', 'deployment', 'scheme', 'store', 'adminKey', 'jwks'],
      ...['clock', 'start', 'seed', 'patience', 'processingTime', 'streamGrace'],
      ...['generator', 'models', 'quota', 'rateLimit', 'faults', 'deliveries'],
      ...['retention', 'logBodies', 'onError', 'onWarning'],
    ].sort(),
  );
});

test('settle is advance(0): both run what is due and leave the clock where it is', async () => {
  const run = async (step: 'advance' | 'settle') => {
    const mock = createMockServer({ clock: 'manual', seed: 1 });
    const now = mock.clock.now();
    mock.trigger('generation_completed', { webhookUrl: 'http://127.0.0.1:1/' });
    expect(await (step === 'settle' ? mock.settle() : mock.clock.advance(0))).toBe(now);
    return mock.deliveries()[0]?.attempts.length;
  };
  expect([await run('settle'), await run('advance')]).toEqual([1, 1]);
});
