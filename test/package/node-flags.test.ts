import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Application, copyApplication } from './installed.ts';

/** A call of each half: a generation whose callback is verified and handled. */
const program = `
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';

const mock = createMockServer({ clock: 'manual', start: 'now', seed: 1 });
const client = new ContentGen({ baseUrl: mock.baseUrl, apiKey: mock.adminKey, fetch: mock.fetch });
const webhookUrl = 'https://app.example/hook';
mock.receivers.set(webhookUrl, createWebhookHandler({
  secret: mock.signingSecret,
  on: { generation_completed: ({ payload }) => console.log(payload.status) },
}));
await client.content.generate({ prompt: 'p', webhookUrl });
await mock.settle();
let text = '';
for await (const piece of client.content.stream({ prompt: 'p' })) text += piece;
console.log(text !== '');
await mock.close();
`;

let application: Application;
beforeAll(() => {
  application = copyApplication(inject('installation'));
  application.write('program.mjs', program);
});
afterAll(() => application.remove());

test.each([
  ['--disallow-code-generation-from-strings'],
  ['--frozen-intrinsics'],
  ['--permission', '--allow-fs-read=*'],
  ['--jitless'],
])('works under %s', (...flags) => {
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, 'program.mjs'], {
    cwd: application.folder,
    encoding: 'utf8',
  });
  expect(stdout, stderr).toBe('completed\ntrue\n');
});
