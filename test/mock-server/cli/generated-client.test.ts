import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { attempted, served } from './invoke.ts';
import { receiver } from './receiver.ts';

interface Result {
  readonly data?: Record<string, unknown>;
  readonly error?: Record<string, unknown>;
  readonly response: Response;
}

type Call = (options?: object) => Promise<Result>;

interface Sdk extends Readonly<Record<string, Call>> {}

/** The SDK that another generator creates from the contract as the server serves it. */
async function generatedSdk(
  contract: string,
): Promise<{ sdk: Sdk; setConfig(config: object): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await createClient({
    input: contract,
    output: { path: join(folder, 'client') },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  });
  const outfile = join(folder, 'bundle.mjs');
  await build({
    stdin: {
      contents: `export * as sdk from './client/sdk.gen'; export { client } from './client/client.gen';`,
      resolveDir: folder,
    },
    absWorkingDir: fileURLToPath(new URL('../../..', import.meta.url)),
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'silent',
  });
  const { sdk, client } = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
  return { sdk, setConfig: (config) => client.setConfig(config) };
}

/** The contract defines two credentials; a call carries one of them. */
const apiKeyOnly = (key: unknown) => (scheme: { name?: string }) =>
  scheme.name === 'X-API-Key' ? key : undefined;

test('a client generated from /openapi.yaml by another tool works unchanged', async () => {
  const { mock, url } = await served();
  const hooks = await receiver();
  const { sdk, setConfig } = await generatedSdk(`${url}/openapi.yaml`);
  setConfig({ baseUrl: url, auth: apiKeyOnly(mock.adminKey) });
  const call = async (name: string, options?: object): Promise<Record<string, unknown>> => {
    const { data, error, response } = await (sdk[name] as Call)(options);
    expect([response.status, error], name).toEqual([
      expect.toSatisfy((s: number) => s < 300),
      undefined,
    ]);
    return data ?? {};
  };

  const done = await call('generateContent', { body: { prompt: 'A haiku about TCP' } });
  expect(done).toMatchObject({ status: 'completed', result: expect.any(String) });
  const path = { requestId: done['requestId'] };
  expect(await call('getGeneration', { path })).toEqual(done);
  expect(await call('listGenerations', { query: { limit: 1 } })).toEqual({
    data: [done],
    nextCursor: null,
  });

  const body = { event: 'data_updated', url: hooks.url };
  const hook = await call('createWebhook', { body });
  expect(hook).toMatchObject({ ...body, secret: expect.stringMatching(/^whsec_/) });
  mock.trigger('data_updated');
  await mock.settle();
  await attempted(mock, 1);
  expect(hooks.got).toHaveLength(1);
  const deliveries = await call('listDeliveries', { path: { id: hook['id'] } });
  expect(deliveries).toMatchObject({ data: [{ status: 'delivered' }] });
  await call('deleteWebhook', { path: { id: hook['id'] } });

  const key = await call('createApiKey', { body: { name: 'generated' } });
  await call('revokeApiKey', { path: { id: key['id'] } });
  setConfig({ baseUrl: url, auth: apiKeyOnly(key['key']) });
  const rejected = await (sdk['getUsage'] as Call)();
  expect(rejected.error).toMatchObject({ code: 'revoked_api_key', status: 401 });
}, 60_000);
