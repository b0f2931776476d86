import { existsSync, symlinkSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '../processes.mjs';

const file = 'test/runtimes/hostile/reactive.mjs';
const wrappers = {
  "Vue's reactive()": "import { reactive as wrap } from '@vue/reactivity';",
  "Vue's ref()": "import { ref } from '@vue/reactivity';\nconst wrap = (value) => ref(value).value;",
  "MobX's observable()": "import { observable } from 'mobx';\nconst wrap = (value) => observable({ value }).value;",
};

const program = `
import assert from 'node:assert/strict';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createTestRequest, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler } from 'contentgen/webhooks';

const mock = wrap(createMockServer());
const client = wrap(new ContentGen(mock.clientOptions));
assert.equal((await client.content.generate({ prompt: 'p' })).status, 'completed');
assert.equal((await client.content.list().toArray()).length, 1);
assert.equal((await client.http.GET('/api/usage')).response.status, 200);
assert.equal((await client.withOptions({ maxRetries: 0 }).usage.get()).requests, 1);

const stream = wrap(client.content.stream({ prompt: 'p' }));
let text = '';
for await (const piece of stream) text += piece;
assert.equal((await stream.final()).result, text);

const handle = wrap(createWebhookHandler({ secret: mock.signingSecret }));
const webhookUrl = 'https://app.example/callbacks';
mock.receivers.set(webhookUrl, (request) => handle(request));
const job = wrap(await client.content.start({ prompt: 'p', webhookUrl }));
assert.deepEqual(JSON.parse(JSON.stringify(job)), { status: 'processing', requestId: job.requestId });
const waited = job.wait({ results: handle });
await mock.clock.advance('1 minute');
assert.notEqual((await waited).result, '');
await assert.rejects(job.cancel(), { code: 'invalid_state' });
const event = sampleEvent('generation_completed');
assert.equal((await handle(await createTestRequest(event, { secret: mock.signingSecret }))).status, 204);
`;

/** A client, a job, a stream, a receiver and a mock in the reactive state of the libraries that people use. */
export async function reactiveState(modules, application) {
  for (const name of ['@vue/reactivity', '@vue/shared', 'mobx']) {
    const at = join(application.folder, 'node_modules', name);
    mkdirSync(dirname(at), { recursive: true });
    if (!existsSync(at)) symlinkSync(join(modules, name), at);
  }
  const failures = [];
  for (const [name, wrapper] of Object.entries(wrappers)) {
    application.write('reactive.mjs', wrapper + program);
    const { status, stderr } = await runProgram(process.execPath, ['reactive.mjs'], {
      cwd: application.folder,
    });
    if (status !== 0) failures.push({ file, name: `in ${name}`, error: stderr });
  }
  return { claims: Object.keys(wrappers).length, skipped: 0, failures };
}
