import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The example for Workers on workerd, with a store that speaks Redis over HTTP. */
export async function honoExample(root, application, startWorker) {
  const entries = new Map();
  const redis = createServer(async (request, response) => {
    const [, script, , key, attempt] = JSON.parse(
      Buffer.concat(await Array.fromAsync(request)).toString(),
    );
    response.end(JSON.stringify({ result: evaluate(entries, script, key, attempt) }));
  }).listen(0, '127.0.0.1');
  await once(redis, 'listening');
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  application.link('hono');
  cpSync(join(root, 'examples/hono-workers'), join(application.folder, 'worker'), {
    recursive: true,
  });
  const worker = await startWorker('worker/index.ts', {
    CONTENTGEN_WEBHOOK_SECRET: secret,
    REDIS_REST_URL: `http://127.0.0.1:${redis.address().port}/`,
    REDIS_REST_TOKEN: 'token',
  });
  try {
    const testing = join(application.folder, 'node_modules/contentgen/dist/testing.js');
    const { deliver, sampleEvent } = await import(pathToFileURL(testing).href);
    const url = `${await worker.ready}webhooks`;
    const event = sampleEvent('generation_completed');
    const failures = [];
    const file = 'examples/hono-workers';
    const twice = await deliver(url, event, { secret, duplicates: 1 });
    if (!twice.ok)
      failures.push({
        file,
        name: 'a repeated delivery is acknowledged',
        error: JSON.stringify(twice),
      });
    const forged = await deliver(url, event, { secret, tamper: 'body' });
    if (!forged.ok)
      failures.push({ file, name: 'a forged one is rejected', error: JSON.stringify(forged) });
    if (![...entries.values()].includes('done'))
      failures.push({ file, name: 'it is remembered', error: 'the store is empty' });
    return { claims: 3, skipped: 0, failures };
  } finally {
    await worker.dispose();
    redis.close();
  }
}

/** The part of Redis that the dedupe store's scripts need. */
function evaluate(entries, script, key, attempt) {
  const now = entries.get(key);
  if (script.includes("'done', 'PX'")) return entries.set(key, 'done') && 1;
  if (script.includes('PTTL')) {
    if (now !== undefined) return now === 'done' ? -1 : 1000;
    return entries.set(key, attempt) && 0;
  }
  return now === attempt ? 1 : 0;
}
