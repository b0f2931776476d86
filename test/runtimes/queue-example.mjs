import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blocks } from './snippets.mjs';

/** The example for Cloudflare Queues on workerd: receiver, queue and consumer. */
export async function queueExample(root, application, startWorker) {
  const file = 'examples/cloudflare-queues';
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  cpSync(join(root, file), join(application.folder, 'queue-worker'), { recursive: true });
  const worker = await startWorker(
    'queue-worker/index.ts',
    { CONTENTGEN_WEBHOOK_SECRET: secret },
    {
      queueProducers: { WEBHOOKS: 'webhooks' },
      queueConsumers: { webhooks: { maxBatchTimeout: 0 } },
      kvNamespaces: ['STORIES'],
    },
  );
  try {
    const testing = join(application.folder, 'node_modules/contentgen/dist/testing.js');
    const { deliver, sampleEvent } = await import(pathToFileURL(testing).href);
    const event = sampleEvent('generation_completed');
    const failures = [];
    const recipe = readFileSync(join(root, file, 'index.ts'), 'utf8');
    if (!blocks(root, 'docs/webhooks-at-scale.md', 'ts').includes(recipe))
      failures.push({ file, name: 'the guide prints it', error: 'the texts differ' });
    const twice = await deliver(String(await worker.ready), event, { secret, duplicates: 1 });
    const statuses = twice.attempts.map(({ status, body }) => `${status} ${body}`).join();
    if (statuses !== '200 {"status":"queued"},200 {"status":"queued"}')
      failures.push({ file, name: 'deliveries are put on the queue', error: statuses });
    const forged = await deliver(String(await worker.ready), event, { secret, tamper: 'body' });
    if (!forged.ok)
      failures.push({ file, name: 'a forged one is rejected', error: JSON.stringify(forged) });
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
