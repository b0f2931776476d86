import { expect, test, vi } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { fakePlatform } from '../../support/fake-platform.ts';

test('after a reset on a real clock nothing that was scheduled before keeps the process alive', async () => {
  fakePlatform({ toFake: ['setTimeout', 'clearTimeout'] });
  const mock = createMockServer({ clock: 'real', processingTime: 5_000 });
  const idle = vi.getTimerCount();
  const response = await mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
    method: 'POST',
    headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'p', webhookUrl: 'https://app.example/hooks' }),
  });
  expect(response.status).toBe(202);
  expect(vi.getTimerCount()).toBe(idle + 1);
  mock.reset();
  expect(vi.getTimerCount()).toBe(idle);
  await mock.close();
});

test('a stream that nobody reads does not keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const mock = createMockServer({ processingTime: 0 });
  const idle = timers();
  const response = await mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
    method: 'POST',
    headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'p', stream: true }),
  });
  expect(response.status).toBe(200);
  expect(timers()).toBe(idle);
  await mock.close();
});
