import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defineDeployment } from '../../../src/deployment/index.ts';
import { signWebhook } from '../../../src/webhooks/index.ts';
import { startReading } from '../../support/dialects/reading.ts';
import { dialects } from '../../support/dialects/readings.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { invoke } from './invoke.ts';

const page = readFileSync(new URL('../../../docs/your-deployment.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, text = '']) => text,
  );

test('the two commands of the page find the file, one after the other', async () => {
  const service = await startReading(dialects.dataWrapper);
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  const body = '{"data":{"requestId":"r","result":"Hi","model":"m","usage":{"totalTokens":1}}}';
  const deployment = defineDeployment({ scheme: { type: 'hmac' }, secretEncoding: 'utf8' });
  const facts = { id: 'r', timestamp: Math.floor(Date.now() / 1000), body, secret: service.secret };
  const headers = await signWebhook({ ...facts, deployment });
  writeFileSync(join(folder, 'request.headers'), JSON.stringify(headers));
  writeFileSync(join(folder, 'request.body'), body);
  const lines = blocks('sh')[0]?.trim().split('\n') ?? [];
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    const args = line
      .replace('https://api.example.com', service.baseUrl)
      .replace('--api-key …', `--api-key ${service.apiKey}`)
      .replace('--secret …', `--secret ${service.secret}`)
      .replace(/(deployment\.json|request\.\w+)/g, (name) => join(folder, name))
      .split(' ')
      .slice(2);
    const { code, out } = await invoke(args);
    expect(code, out).toBe(0);
  }
  expect(JSON.parse(readFileSync(join(folder, 'deployment.json'), 'utf8'))).toMatchObject({
    ...{ wrap: 'data', statuses: { processing: 'QUEUED', completed: 'DONE' } },
    ...{ scheme: { type: 'hmac' }, secretEncoding: 'utf8', idempotency: false },
  });
});

test('the file on the page is a valid deployment', () => {
  const [json = ''] = blocks('json');
  expect(defineDeployment(JSON.parse(json)).json).toMatchObject({ wrap: 'data' });
});
