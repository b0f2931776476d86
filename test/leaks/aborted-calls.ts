import { ContentGen } from '../../src/index.ts';
import { reportGrowth } from './flat-heap.ts';

const client = new ContentGen({
  baseUrl: 'https://api.example.com',
  apiKey: 'cg_test_key',
  logLevel: 'off',
  fetch: (_, init) =>
    new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true });
    }),
});
/** Lives as long as the process, like a server's shutdown signal. */
const shutdown = new AbortController();

await reportGrowth(async (index) => {
  const controller = new AbortController();
  const signal =
    index % 2 === 0 ? controller.signal : AbortSignal.any([controller.signal, shutdown.signal]);
  const call =
    index % 3 === 0
      ? client.content.stream({ prompt: 'Hi' }, { signal }).final()
      : client.content.generate({ prompt: 'Hi' }, { signal });
  const settled = call.catch(() => {});
  await Promise.resolve();
  controller.abort();
  await settled;
  await client.usage.get({ signal: shutdown.signal, timeout: 1, maxRetries: 0 }).catch(() => {});
});
