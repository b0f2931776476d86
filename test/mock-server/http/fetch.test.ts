import { createMockServer } from '../../../mock-server/create-mock-server.ts';
import { conformance } from './conformance.ts';

conformance('mock.fetch', (options) => {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  return { mock, baseUrl: mock.baseUrl, fetch: mock.fetch, close: () => mock.close() };
});
