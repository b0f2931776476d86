import { ContentGen } from 'contentgen';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setupMockWorker } from '../../../mock-server/msw/browser.ts';
import { ended, generator, read, whole } from '../../client/support/generated-text.ts';

/** How many streams are read at the same time. */
const AT_ONCE = 20;
const generate = { operation: 'generateContent', times: 1 } as const;

async function inWorker(options: object = {}) {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0); // Retries then wait no time.
  const { mock, close } = await setupMockWorker({ seed: 1, generator });
  onTestFinished(async () => {
    random.mockRestore();
    await close();
  });
  let retries = 0;
  const client = new ContentGen({
    baseUrl: mock.baseUrl,
    apiKey: mock.adminKey,
    dangerouslyAllowBrowser: true,
    pacing: false,
    logLevel: 'off',
    onRetry: () => {
      retries += 1;
    },
    ...options,
  });
  const readStream = async () => {
    const stream = client.content.stream({ prompt: 'p' });
    const text = await read(stream);
    expect([text, (await stream.final()).result]).toEqual([whole, whole]);
  };
  return { mock, client, readStream, retries: () => retries };
}

test('behind a service worker, a stream that breaks at any of 200 positions arrives whole and is billed once', async () => {
  const { mock, client, readStream, retries } = await inWorker();
  const raw = client.content.stream({ prompt: 'p' }).toReadableStream();
  const { byteLength } = await new Response(raw).arrayBuffer();
  const cuts = Array.from({ length: 200 }, (_, n) => Math.floor((n * byteLength) / 200));
  for (let from = 0; from < cuts.length; from += AT_ONCE) {
    const some = cuts.slice(from, from + AT_ONCE);
    for (const truncate of some) mock.faults.add({ ...generate, effect: { truncate } });
    await Promise.all(some.map(readStream));
  }
  expect(retries()).toBe(200);
  expect(ended(mock)).toBe(201);
});

test('behind a service worker, a stream that breaks after any event, or falls silent, arrives whole and is billed once', async () => {
  const { mock, readStream, retries } = await inWorker({ idleTimeout: 150 });
  const cuts = [0, 1, 2, 3, 4, 5, 6, 7].map((after) => ({ cutStream: { after } }));
  for (const effect of [...cuts, { stall: true } as const]) {
    mock.faults.add({ ...generate, effect });
    await readStream();
  }
  expect(retries()).toBe(9);
  expect(ended(mock)).toBe(9);
});
