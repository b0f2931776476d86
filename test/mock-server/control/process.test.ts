import { expect, test, vi } from 'vitest';
import { createMockServer } from '../../../mock-server/index.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { generate } from '../service/helpers.ts';

// What a mock must not leave behind in its process.

test('after a reset on a real clock nothing that was scheduled before keeps the process alive', async () => {
  fakePlatform({ toFake: ['setTimeout', 'clearTimeout'] });
  const mock = createMockServer({ clock: 'real', processingTime: 5_000 });
  const idle = vi.getTimerCount();
  const { status } = await generate(mock, { prompt: 'p', webhookUrl: 'https://app.example/hooks' });
  expect([status, vi.getTimerCount()]).toEqual([202, idle + 1]);
  mock.reset();
  expect(vi.getTimerCount()).toBe(idle);
  await mock.close();
});

test('a stream that nobody reads does not keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const mock = createMockServer({ processingTime: 0 });
  const idle = timers();
  const { status } = await generate(mock, { prompt: 'p', stream: true });
  expect([status, timers()]).toEqual([200, idle]);
  await mock.close();
});
