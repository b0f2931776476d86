import { setupMockWorker } from '../../../mock-server/msw/browser.ts';
import { conformance } from '../../mock-server/http/conformance.ts';

conformance(
  'in Chromium behind the service worker',
  async (options) => {
    const { mock, close } = await setupMockWorker({ clock: 'manual', seed: 1, ...options });
    return { mock, baseUrl: mock.baseUrl, fetch: (...call) => globalThis.fetch(...call), close };
  },
  { browser: true },
);
