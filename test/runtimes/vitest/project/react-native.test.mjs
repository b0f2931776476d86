import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { createMockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { build } from 'esbuild';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

// React Native's fetch is whatwg-fetch over XMLHttpRequest: it has neither `response.body` nor streams. There is no
// `crypto`, no `TextDecoder`, and its URL polyfills lacked `canParse` for years.
let bundle;
let mock;
let served;
let app;

beforeAll(async () => {
  mock = createMockServer({ rateLimit: { limit: 1000, windowSeconds: 1 } });
  served = await serve(mock, { port: 0 });
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from 'contentgen'",
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'contentgen',
    // As Metro resolves it.
    conditions: ['react-native', 'import'],
    mainFields: ['react-native', 'browser', 'main'],
  });
  bundle = outputFiles[0].text;
});
afterAll(() => served?.close());

beforeEach(() => {
  const { window } = new JSDOM('', { url: `${served.url}/` });
  const { XMLHttpRequest, AbortController, AbortSignal, URLSearchParams } = window;
  const { FormData, Blob, FileReader } = window;
  class URL extends window.URL {}
  URL.canParse = undefined;
  app = vm.createContext({
    ...{ XMLHttpRequest, AbortController, AbortSignal, URL, URLSearchParams },
    ...{ FormData, Blob, FileReader, setTimeout, clearTimeout, console },
    performance: { now: () => performance.now() },
    navigator: { product: 'ReactNative' },
  });
  app.window = app.self = app.globalThis = vm.runInContext('globalThis', app);
  const file = createRequire(import.meta.url).resolve('whatwg-fetch/dist/fetch.umd.js');
  vm.runInContext(readFileSync(file, 'utf8'), app);
  vm.runInContext(bundle, app);
  app.baseUrl = served.url;
  app.apiKey = mock.adminKey;
});

const run = (code) =>
  vm.runInContext(
    `(async () => { const client = new contentgen.ContentGen({ baseUrl, apiKey }); ${code} })()`,
    app,
  );

test('these are the globals of React Native, not those of Node', () => {
  const missing = ['crypto', 'ReadableStream', 'TextDecoder', 'process', 'document'];
  for (const name of missing) expect(vm.runInContext(`typeof ${name}`, app)).toBe('undefined');
  expect(vm.runInContext('typeof URL.canParse', app)).toBe('undefined');
  expect(vm.runInContext('String(fetch)', app)).toContain('XMLHttpRequest');
});

test('records are read, and an error says what it is', async () => {
  expect(await run('return (await client.usage.get()).used')).toBe(0);
  expect(
    await run("const { error } = await client.content.get('gen_x').safe(); return error.message"),
  ).toMatch(/404 not_found/);
});

test('without random numbers a POST fails and names the polyfill that it needs', async () => {
  const call = run("await client.content.generate({ prompt: 'Hi' })");
  await expect(call).rejects.toThrow('react-native-get-random-values');
});

test('with them it generates, waits and aborts', async () => {
  app.crypto = { getRandomValues: (array) => crypto.getRandomValues(array) };
  expect(await run("return (await client.content.generate({ prompt: 'Hi' })).status")).toBe(
    'completed',
  );
  expect(
    await run(`
      const controller = new AbortController();
      const call = client.usage.get({ signal: controller.signal }).safe();
      controller.abort();
      return (await call).error.code;`),
  ).toBe('aborted');
  expect(await run('return (await client.http.GET("/api/usage")).data.requests')).toBe(1);
});

test('a stream says that this fetch cannot stream, and names one that can', async () => {
  app.crypto = { getRandomValues: (array) => crypto.getRandomValues(array) };
  const call = run("await client.content.stream({ prompt: 'Hi' }).final()");
  await expect(call).rejects.toThrow('expo/fetch');
});
