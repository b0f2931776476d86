import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createProgram, faultsOf } from './compiler.ts';
import { type Application, copyApplication } from './installed.ts';

let application: Application;

beforeAll(() => {
  application = copyApplication(inject('installation'));
});
afterAll(() => application?.remove());

test('a misspelled field is one short error that names the type it belongs to', () => {
  const misspelled = {
    "client.content.generate({ promt: 'p' })": 'GenerateRequest',
    "client.content.stream({ promt: 'p' })": 'GenerateParams',
    "client.content.start({ promt: 'p', webhookUrl: 'https://app.example' })": 'StartParams',
    "client.apiKeys.create({ nme: 'ci' })": 'CreateApiKeyRequest',
    "client.apiKeys.regenerate('key_1', { grace: 1 })": 'RegenerateApiKeyRequest',
    "client.webhooks.create({ evnt: 'invoice_paid' })": 'CreateWebhookRequest',
    "client.webhooks.update('wh_1', { ulr: 'https://app.example' })": 'UpdateWebhookRequest',
  };
  const start = "import { ContentGen } from 'contentgen'; const client = new ContentGen();";
  const files = Object.keys(misspelled).map((call, n) => {
    application.write(`call${n}.mts`, `${start} ${call};`);
    return `call${n}.mts`;
  });
  const options = { module: 'NodeNext', types: [], strict: true };
  const faults = faultsOf(createProgram(application.folder, files, options));
  expect(faults.map(({ file }) => file)).toEqual(files);
  for (const [n, type] of Object.values(misspelled).entries()) {
    expect(faults[n]?.message).toContain(type);
    expect(faults[n]?.message.length).toBeLessThan(200);
  }
}, 60_000);
