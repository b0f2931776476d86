import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blocks } from './snippets.mjs';
import { startWorker } from './workers.mjs';

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The failures of a receiver that must report these for two copies of a delivery, and must reject a forged one. */
export async function tryReceiver(application, file, url, expected) {
  const testing = join(application.folder, 'node_modules/contentgen/dist/testing.js');
  const { deliver, sampleEvent } = await import(pathToFileURL(testing).href);
  const event = sampleEvent('generation_completed');
  const twice = await deliver(url, event, { secret, duplicates: 1 });
  const received = twice.attempts.map(({ status, body }) => `${status} ${body}`).join();
  const wanted = expected.map((status) => `200 {"status":"${status}"}`).join();
  const forged = await deliver(url, event, { secret, tamper: 'body' });
  return [
    ...(received === wanted ? [] : [{ file, name: 'deliveries are accepted', error: received }]),
    ...(forged.ok ? [] : [{ file, name: 'a forged one is rejected', error: `${forged}` }]),
  ];
}

/** The example for Cloudflare Queues on workerd: receiver, queue and consumer. */
export async function queueExample(root, application) {
  const file = 'examples/cloudflare-queues';
  cpSync(join(root, file), join(application.folder, 'queue-worker'), { recursive: true });
  const worker = await startWorker(application, 'queue-worker/index.ts', {
    bindings: { CONTENTGEN_WEBHOOK_SECRET: secret },
    queueProducers: { WEBHOOKS: 'webhooks' },
    queueConsumers: { webhooks: { maxBatchTimeout: 0 } },
    kvNamespaces: ['STORIES'],
  });
  try {
    const url = String(await worker.ready);
    const failures = await tryReceiver(application, file, url, ['queued', 'queued']);
    const recipe = readFileSync(join(root, file, 'index.ts'), 'utf8');
    if (!blocks(root, 'docs/webhooks-at-scale.md', 'ts').includes(recipe))
      failures.push({ file, name: 'the guide prints it', error: 'the texts differ' });
    const stories = await worker.getKVNamespace('STORIES');
    const story = await eventually(async () => (await stories.list()).keys[0]?.name);
    if (!story || !(await stories.get(story)))
      failures.push({ file, name: 'the consumer stores the story', error: `found ${story}` });
    return { claims: 4, skipped: 0, failures };
  } finally {
    await worker.dispose();
  }
}

async function eventually(find) {
  for (let n = 0; n < 200; n++) {
    const found = await find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}
