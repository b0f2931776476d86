import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blocks } from './snippets.mjs';
import { startWorker } from './workers.mjs';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

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
    const testing = join(application.folder, 'node_modules/contentgen/dist/testing.js');
    const { deliver, sampleEvent } = await import(pathToFileURL(testing).href);
    const event = sampleEvent('generation_completed');
    const failures = [];
    const expect = (name, isTrue, error) => isTrue || failures.push({ file, name, error });
    const { attempts } = await deliver(url, event, { secret, duplicates: 1 });
    const bodies = attempts.map(({ body }) => body).join();
    expect('deliveries are accepted', bodies === '{"status":"queued"},{"status":"queued"}', bodies);
    const forged = await deliver(url, event, { secret, tamper: 'body' });
    expect('a forged one is rejected', forged.ok, `${forged}`);
    const recipe = readFileSync(join(root, file, 'index.ts'), 'utf8');
    const printed = blocks(root, 'docs/webhooks-at-scale.md', 'ts').includes(recipe);
    expect('the guide prints it', printed, 'the texts differ');
    const stories = await worker.getKVNamespace('STORIES');
    const story = await eventually(async () => (await stories.list()).keys[0]?.name);
    const isStored = story && (await stories.get(story));
    expect('the consumer stores the story', isStored, `found ${story}`);
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
