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

/** What the compiler counts for a program with one call. The counts depend only on the types. */
function costOf(text: string) {
  application.write('main.mts', text);
  const program = createProgram(application.folder, ['main.mts'], {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
    types: [],
    module: 'NodeNext',
    strict: true,
    skipLibCheck: true,
  });
  expect(faultsOf(program)).toEqual([]);
  return { types: program.getTypeCount(), instantiations: program.getInstantiationCount() };
}

test('a call costs the compiler far less than one with openapi-fetch, and one with client.http the same', () => {
  const openapiFetch = costOf(`
    import createClient from 'openapi-fetch';
    import type { paths } from 'contentgen';
    const client = createClient<paths>({ baseUrl: 'https://api.example.com' });
    await client.POST('/api/ai/content/generate', { body: { prompt: 'p' } });`);
  const http = costOf(`
    import { ContentGen } from 'contentgen';
    await new ContentGen().http.POST('/api/ai/content/generate', { body: { prompt: 'p' } });`);
  const method = costOf(`
    import { ContentGen } from 'contentgen';
    await new ContentGen().content.generate({ prompt: 'p' });`);
  expect(http.types).toBeLessThan(openapiFetch.types * 1.1);
  expect(http.instantiations).toBeLessThan(openapiFetch.instantiations * 1.1);
  expect(method.types).toBeLessThan(openapiFetch.types / 2);
  expect(method.instantiations).toBeLessThan(openapiFetch.instantiations / 2);
});
