import { setupMockWorker } from '../../mock-server/adapters/browser.ts';
import { conformance } from '../adapters/conformance.ts';

conformance(
  'in Chromium behind the service worker',
  async (options) => {
    const { mock, close } = await setupMockWorker({ clock: 'manual', seed: 1, ...options });
    return { mock, baseUrl: mock.baseUrl, fetch: (...call) => globalThis.fetch(...call), close };
  },
  { browser: true },
);
