import { expect, onTestFinished, test, vi } from 'vitest';
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

test("what onUnhandledRequest refuses fails, and with 'error' the page keeps its own files", async () => {
  const file = '/mockServiceWorker.js';
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const refusing = await setupMockWorker({ onUnhandledRequest: (_, print) => print.error() });
  await expect(fetch(file)).rejects.toThrow(TypeError);
  expect(printed).toHaveBeenCalledWith(expect.stringContaining('[MSW] Error'));
  await refusing.close();
  const { close } = await setupMockWorker({ onUnhandledRequest: 'error' });
  onTestFinished(close);
  expect((await fetch(file)).status).toBe(200);
});
