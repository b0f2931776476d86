import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, onTestFinished, test } from 'vitest';
import { createMockServer } from '../../mock-server/index.ts';
import { type DeploymentJson, defineDeployment } from '../../src/deployment/index.ts';
import { invoke } from '../mock-server/cli/invoke.ts';
import { contractOf, givenOnly, problemsOf } from './contract.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

const json: DeploymentJson = {
  paths: { generateContent: '/v1/generate:run', getGeneration: '/v1/jobs/{requestId}' },
  wrap: 'data',
  webhookUrlField: 'callback.url',
  fields: {
    requestId: 'job_id',
    result: 'output.text',
    'usage.totalTokens': 'tokens.total',
    'ApiKey.id': 'key_id',
    key: 'api_key',
    createdAt: 'created_at',
  },
  statuses: { completed: 'DONE', processing: 'QUEUED' },
  eventNames: { invoice_paid: 'invoice.paid' },
  errors: { code: 'error.code', message: 'error.message' },
  idempotency: 'X-Request-Key',
  scheme: { type: 'hmac', signs: '{timestamp}.{body}', format: 't={timestamp},v1={signature}' },
  absent: ['getUsage', 'stream', 'generateContent.seed', 'ApiKey.hint', 'deleteWebhook'],
};

/** A folder in which packages are found, with a file, until the test ends. */
async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(`${root}node_modules/.contract-`);
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(`${folder}/${name}`, text);
  return folder;
}

test('the contract of a deployment has its names, paths, words and headers, and nothing that is absent', async () => {
  const { paths, components, webhooks } = await contractOf(json);
  expect(Object.keys(paths)).toContain('/v1/generate:run');
  expect(paths['/v1/jobs/{requestId}']).toHaveProperty('get');
  expect(JSON.stringify(paths)).not.toMatch(/getUsage|deleteWebhook|event-stream/);
  const { GenerateRequest, CompletedGeneration, ApiKey, GenerationStatus } = components.schemas;
  expect(Object.keys(GenerateRequest.properties)).toEqual(
    expect.arrayContaining(['prompt', 'callback', 'maxTokens']),
  );
  expect(GenerateRequest.properties).not.toHaveProperty('seed');
  expect(GenerateRequest.properties).not.toHaveProperty('stream');
  expect(CompletedGeneration.properties.status).toMatchObject({ const: 'DONE' });
  expect(ApiKey.properties).toHaveProperty('created_at');
  expect(ApiKey.properties).not.toHaveProperty('hint');
  expect(GenerationStatus.enum).toEqual(['QUEUED', 'DONE', 'failed', 'canceled']);
  expect(Object.keys(webhooks)).toContain('invoice.paid');
  expect(components.parameters.IdempotencyKey.name).toBe('X-Request-Key');
  const { callbacks, responses } = paths['/v1/generate:run'].post;
  expect(Object.keys(callbacks.generationResult)).toEqual(['{$request.body#/callback/url}']);
  expect(responses['200'].content['application/json'].schema.required).toEqual(['data']);
  expect(components.responses.Unauthorized.content).toEqual({
    'application/json': {
      schema: expect.objectContaining({ properties: { error: expect.anything() } }),
    },
  });
});

/** In CI, by another tool too: its process takes longer than all else here. */
test('it is a valid OpenAPI 3.1 document, also for given-only', async () => {
  const deployments = { different: json, 'given-only': givenOnly };
  const folder = await folderWith({ 'redocly.yaml': 'extends: [spec]\ntelemetry: off\n' });
  const contracts: string[] = [];
  for (const [name, own] of Object.entries(deployments)) {
    expect(problemsOf(await contractOf(own)), name).toEqual([]);
    const [file, contract] = [`${folder}/${name}.json`, `${folder}/${name}.yaml`];
    await writeFile(file, JSON.stringify(own));
    const { out } = await invoke(['openapi', '--deployment', file]);
    await writeFile(contract, out);
    contracts.push(contract);
  }
  if (process.env['CI'] !== 'true') return;
  const redocly = `${root}node_modules/@redocly/cli/bin/cli.js`;
  const config = ['--config', `${folder}/redocly.yaml`];
  await run(process.execPath, [redocly, 'lint', ...contracts, ...config]);
}, 120_000);

test('a client generated from it works against the mock', async () => {
  const types = astToString(
    await openapiTS(JSON.stringify(await contractOf(json)), { defaultNonNullable: false }),
  );
  const use = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

export async function use(baseUrl: string, apiKey: string, fetch: (request: Request) => Promise<Response>) {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey }, fetch });
  const done = await client.POST('/v1/generate:run', { body: { prompt: '[[say: Hi]]' } });
  const whole = done.data?.data;
  if (!whole || !('output' in whole)) throw new Error('no generation');
  const text: string = whole.output.text;
  const tokens: number = whole.tokens.total;
  const again = await client.GET('/v1/jobs/{requestId}', { params: { path: { requestId: whole.job_id } } });
  const key = await client.POST('/api/auth/api-keys', { body: { name: 'ci' } });
  const wrong = await client.GET('/v1/jobs/{requestId}', { params: { path: { requestId: 'none' } } });
  const code: string | undefined = wrong.error?.error?.code;
  return [text, tokens > 0, again.data?.data.status, key.data?.data.key_id, key.data?.data.api_key, code];
}
`;
  const folder = await folderWith({ 'schema.ts': types, 'use.ts': use });
  const tsc = `${root}node_modules/typescript-7/bin/tsc`;
  const flags =
    '--ignoreConfig --noEmit --strict --target es2022 --lib es2023,dom --skipLibCheck --types node';
  const module =
    '--module nodenext --allowImportingTsExtensions --rewriteRelativeImportExtensions false';
  const checked = run(process.execPath, [
    tsc,
    ...`${flags} ${module}`.split(' '),
    `${folder}/use.ts`,
  ]);
  await checked.catch(({ stdout }) => expect(stdout).toBe(''));
  const mock = createMockServer({ deployment: defineDeployment(json), clock: 'manual', seed: 1 });
  const { use: generated } = await import(/* @vite-ignore */ `${folder}/use.ts`);
  expect(await generated(mock.baseUrl, mock.adminKey, mock.fetch)).toEqual([
    ...['Hi', true, 'DONE', expect.stringMatching(/^key_/), expect.stringMatching(/^cg_test_/)],
    'not_found',
  ]);
  await mock.close();
}, 120_000);

test('the command prints the same as the mock serves, and without a deployment the contract itself', async () => {
  const { out } = await invoke(['openapi', '--deployment', 'given-only']);
  const mock = createMockServer({ deployment: defineDeployment(givenOnly) });
  const served = await (await mock.fetch(new Request(`${mock.baseUrl}/openapi.yaml`))).text();
  expect(out.trim()).toBe(served.trim());
  expect((await invoke(['openapi'])).out).toContain('operationId: listGenerations');
  await mock.close();
});
