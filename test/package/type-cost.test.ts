import ts from 'typescript';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Application, copyApplication } from './installed.ts';

let application: Application;

beforeAll(() => {
  application = copyApplication(inject('installation'));
});
afterAll(() => application?.remove());

test('a misspelled field is one short error that names the type it belongs to', () => {
  const faultsOf = (call: string) => {
    application.write(
      'main.mts',
      `import { ContentGen } from 'contentgen'; const client = new ContentGen(); ${call};`,
    );
    const options = { module: ts.ModuleKind.NodeNext, types: [], strict: true, noEmit: true };
    const program = ts.createProgram([`${application.folder}/main.mts`], options);
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const misspelled = {
    "client.content.generate({ promt: 'p' })": 'GenerateRequest',
    "client.content.stream({ promt: 'p' })": 'GenerateParams',
    "client.content.start({ promt: 'p', webhookUrl: 'https://app.example' })": 'StartParams',
    "client.apiKeys.create({ nme: 'ci' })": 'CreateApiKeyRequest',
    "client.apiKeys.regenerate('key_1', { grace: 1 })": 'RegenerateApiKeyRequest',
    "client.webhooks.create({ evnt: 'invoice_paid' })": 'CreateWebhookRequest',
    "client.webhooks.update('wh_1', { ulr: 'https://app.example' })": 'UpdateWebhookRequest',
  };
  for (const [call, type] of Object.entries(misspelled)) {
    const [fault = '', ...more] = faultsOf(call);
    expect(more).toEqual([]);
    expect(fault).toContain(type);
    expect(fault.length).toBeLessThan(200);
  }
}, 60_000);

/** What the compiler counts for a program with one call. The counts depend only on the types. */
function costOf(text: string) {
  application.write('main.mts', text);
  const file = `${application.folder}/main.mts`;
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    module: ts.ModuleKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  });
  const faults = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  expect(faults).toEqual([]);
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
