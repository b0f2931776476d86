import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import type { SharedStore } from '../../../mock-server/stores/shared-store.ts';

/** A store whose database has no leader. */
const leaderless: SharedStore = {
  join(candidate) {
    candidate.onStandby({});
    return { advertise() {}, close: () => Promise.resolve() };
  },
};

test('a request that waits for a leader ends as soon as its server closes', async () => {
  const mock = createMockServer({ store: leaderless });
  const waiting = mock.handle(new Request(`${mock.baseUrl}/api/usage`));
  await mock.close();
  expect((await waiting).type).toBe('error');
  expect((await mock.handle(new Request(`${mock.baseUrl}/api/usage`))).type).toBe('error');
});

test('a socket whose server has closed breaks its calls at once', async () => {
  const mock = createMockServer({ store: leaderless, onError: () => {} });
  const opening = serve(mock, { port: 0 });
  await mock.close();
  const server = await opening;
  onTestFinished(() => server.close());
  expect(mock.leadership).toMatchObject({ closed: true, leading: false });
  await expect(fetch(`${server.url}/api/usage`)).rejects.toThrow(TypeError);
});
