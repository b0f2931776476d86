import { runProgram } from './processes.mjs';
import { link } from './snippets.mjs';

const file = 'test/runtimes/reactive.mjs';
const wrappers = {
  Vue: "import { reactive as wrap } from '@vue/reactivity';",
  MobX: "import { observable as wrap } from 'mobx';",
};

const program = `
import assert from 'node:assert/strict';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';

const mock = createMockServer();
const handle = createWebhookHandler({ secret: mock.signingSecret, on: { generation_completed() {} } });
const state = wrap({ mock, handle, client: new ContentGen(mock.clientOptions) });
const { client } = state;
assert.equal((await client.content.list().toArray()).length, 0);
assert.equal((await client.http.GET('/api/usage')).response.status, 200);
assert.equal((await client.withOptions({ maxRetries: 0 }).usage.get()).requests, 0);

state.stream = client.content.stream({ prompt: 'p' });
let text = '';
for await (const piece of state.stream) text += piece;
assert.equal((await state.stream.final()).result, text);
state.passed = client.content.stream({ prompt: 'p' });
assert.equal((await state.passed.withResponse()).response.status, 200);
assert.notEqual(await new Response(state.passed.toTextStream()).text(), '');

const webhookUrl = 'https://app.example/callbacks';
state.mock.receivers.set(webhookUrl, (request) => state.handle(request));
state.job = await client.content.start({ prompt: 'p', webhookUrl });
const { requestId } = state.job;
assert.deepEqual(JSON.parse(JSON.stringify(state.job)), { status: 'processing', requestId });
const waited = state.job.wait({ results: handle });
await state.mock.clock.advance('1 minute');
assert.notEqual((await waited).result, '');
await assert.rejects(state.job.cancel(), { code: 'invalid_state' });
`;

/** A client, a job, a stream, a receiver and a mock in the reactive state of the libraries that people use. */
export async function reactiveState(modules, application) {
  link(modules, application, '@vue/reactivity', '@vue/shared', 'mobx');
  const failures = [];
  for (const [name, wrapper] of Object.entries(wrappers)) {
    application.write('reactive.mjs', `${wrapper}\n${program}`);
    const { status, stderr } = await runProgram(process.execPath, ['reactive.mjs'], {
      cwd: application.folder,
    });
    if (status !== 0) failures.push({ file, name: `in ${name}`, error: stderr });
  }
  return { claims: Object.keys(wrappers).length, skipped: 0, failures };
}
