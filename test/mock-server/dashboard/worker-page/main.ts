import { setupMockWorker } from '../../../../mock-server/msw/browser.ts';

/** An application in development: its mock in a service worker, the dashboard next to it. */
const { mock } = await setupMockWorker({ seed: 1, clock: 'manual', control: true });
await fetch(`${mock.baseUrl}/api/ai/content/generate`, {
  method: 'POST',
  headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
  body: JSON.stringify({ prompt: '[[say: sent by the application]]' }),
});
const frame = document.createElement('iframe');
frame.title = 'Dashboard';
frame.width = '1200';
frame.height = '700';
frame.src = `/dashboard/index.html?server=${encodeURIComponent(mock.baseUrl)}#/records/generations`;
document.body.append(frame);
