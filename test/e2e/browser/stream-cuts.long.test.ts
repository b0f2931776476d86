import { ContentGen } from 'contentgen';
import { expect, onTestFinished, test } from 'vitest';
import { setupMockWorker } from '../../../mock-server/msw/browser.ts';
import { mswHandlers } from '../../../mock-server/msw/handlers.ts';
import { ended, generator, read, whole } from '../../client/support/generated-text.ts';
import { cutEverywhere, cutting, type OpenDoor } from '../streams/cuts.ts';

const behindWorker: OpenDoor = async (how) => {
  const { mock, worker, close } = await setupMockWorker({ seed: 1, generator });
  onTestFinished(() => close());
  worker.use(...mswHandlers(cutting(mock, how)));
  return { mock, options: { baseUrl: mock.baseUrl } };
};

cutEverywhere('behind a service worker', behindWorker, 'is reset', 1);
cutEverywhere('behind a service worker', behindWorker, 'falls silent', 1);

test('behind a service worker, the faults cutStream and stall break a stream too', async () => {
  const { mock, options } = await behindWorker('is reset');
  let retries = 0;
  const client = new ContentGen({
    ...options,
    apiKey: mock.adminKey,
    dangerouslyAllowBrowser: true,
    logLevel: 'off',
    idleTimeout: 150,
    onRetry() {
      retries += 1;
    },
  });
  const cuts = [0, 1, 2, 3, 4, 5, 6, 7].map((after) => ({ cutStream: { after } }));
  for (const effect of [...cuts, { stall: true } as const]) {
    mock.faults.add({ operation: 'generateContent', times: 1, effect });
    expect(await read(client.content.stream({ prompt: 'p' }))).toBe(whole);
  }
  expect(retries).toBe(9);
  expect(ended(mock)).toBe(9);
});
