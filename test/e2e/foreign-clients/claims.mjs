import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import newman from 'newman';
import { convertV2 } from 'openapi-to-postmanv2';
import { contract, contractCalls, operationIds, pathOf } from './contract-calls.mjs';
import { generateClient, usageOf } from './generated-client.mjs';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const CALL_MS = 20_000;
const bruno = join(here, 'node_modules/.bin/bru');

/** Throws if a call broke the contract, if an operation was never called, or if a call that should succeed failed. */
function judge(calls, { operations = operationIds, successful = true } = {}) {
  const broken = calls.flatMap(({ faults, method, path }) =>
    faults.map((fault) => `${method} ${path}: ${fault}`),
  );
  if (broken.length > 0) throw new Error(broken.join('\n'));
  const called = new Set(calls.map(({ operation }) => operation));
  const missing = operations.filter((operation) => !called.has(operation));
  if (missing.length > 0) throw new Error(`Never called: ${missing.join(', ')}`);
  const failed = calls.filter(({ status }) => successful && status >= 300);
  if (failed.length > 0) {
    const lines = failed.map(({ operation, status, path }) => `${operation} ${path}: ${status}`);
    throw new Error(`Not successful:\n${lines.join('\n')}`);
  }
}

/** Every claim: `[name, run]`. Each starts with the records of the examples. */
export function claimsOf(server, folder) {
  return [
    ['both checks notice a broken response', () => noticesViolations(server)],
    ['Prism: every example of the contract', () => everyExample(server)],
    ['Prism: rejections of every kind', () => rejections(server)],
    ['Postman: a collection from the examples', () => postman(server, 'Example')],
    ['Postman: a collection from the schemas', () => postman(server, 'Schema')],
    ['Bruno: an imported collection', () => brunoCollection(server, folder)],
    [
      '@hey-api/openapi-ts: a client that compiles and makes every call',
      () => generatedClient(server, join(folder, 'generated-client')),
    ],
  ];
}

/** Without this, a check that sees nothing would look like a contract that is kept. */
async function noticesViolations(server) {
  await server.control('faults.add', { operation: 'getUsage', times: 2, effect: { status: 418 } });
  await call(server, 'GET', '/api/usage');
  const [{ faults }] = server.take();
  const [own, prism] = [/declares no such status/, /^Prism: /].map((pattern) =>
    faults.some((fault) => pattern.test(fault)),
  );
  if (!own || !prism) throw new Error(`Own check: ${own}; Prism: ${prism}. ${faults.join('; ')}`);
}

function call(server, method, path, { body, headers, key = server.apiKey } = {}) {
  return fetch(server.url + path, {
    method,
    signal: AbortSignal.timeout(CALL_MS),
    headers: {
      ...(key && { 'X-API-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });
}

async function everyExample(server) {
  for (const example of contractCalls) {
    const { method, body } = example;
    await call(server, method, pathOf(example), { body });
    await call(server, method, `/v2${pathOf(example)}`, { body, key: '' });
  }
  const calls = server.take();
  judge(calls.filter(({ path }) => !path.startsWith('/v2/')));
  const other = calls.filter(({ path }) => path.startsWith('/v2/'));
  judge(other, { successful: false });
  if (other.some(({ status }) => status !== 401)) throw new Error('A call without a key got past.');
}

/** Statuses that a caller can provoke without a fault, and all others with one. */
async function rejections(server) {
  const generate = '/api/ai/content/generate';
  const send = (body, headers) => call(server, 'POST', generate, { body, headers });
  const prompt = 'A haiku about TCP';
  // Prism never responds to a body that is not JSON.
  await send('{', { 'X-Without-Prism': 'yes' });
  await send({ prompt, stream: 'yes' });
  await send({ prompt, model: 'none' });
  await send(`{"prompt":"${'x'.repeat(1_100_000)}"}`);
  await send(JSON.stringify({ prompt }), { 'Content-Type': 'text/plain' });
  await send({ prompt }, { 'Idempotency-Key': 'a b' });
  await send({ prompt }, { 'Idempotency-Key': 'one' });
  await send({ prompt: 'Another' }, { 'Idempotency-Key': 'one' });
  await send({ prompt: '[[fail]]' });
  await call(server, 'GET', '/api/auth/api-keys', { key: server.memberKey });
  await call(server, 'GET', `${generate}?limit=0&cursor=x&color=red`);
  for (const effect of [{ status: 429 }, { status: 503 }, { status: 500 }]) {
    await server.control('faults.add', { operation: '*', times: operationIds.length, effect });
    for (const id of operationIds) {
      const example = contractCalls.find(({ operation }) => operation === id);
      await call(server, example.method, pathOf(example), { body: example.body });
    }
  }
  const calls = server.take();
  judge(calls, { successful: false });
  const seen = [...new Set(calls.map(({ status }) => status))].sort();
  const wanted = [200, 400, 403, 413, 415, 422, 429, 500, 503];
  if (String(seen) !== String(wanted)) throw new Error(`Got the statuses ${seen}.`);
}

/** A collection from the schemas is full of values such as `<string>`: every call must be rejected properly. */
async function postman(server, parametersResolution) {
  const data = readFileSync(contract, 'utf8');
  const { result, reason, output } = await promisify(convertV2)(
    { type: 'string', data },
    { parametersResolution },
  );
  if (!result) throw new Error(reason);
  const envVar = [
    { key: 'base_url', value: server.url },
    { key: 'apiKey', value: server.apiKey },
  ];
  const { run: finished } = await promisify(newman.run)({
    collection: output[0].data,
    envVar,
    reporters: [],
  });
  const [failure] = finished.failures;
  if (failure) throw failure.error;
  judge(server.take(), { successful: parametersResolution === 'Example' });
}

async function brunoCollection(server, folder) {
  const collection = join(folder, 'bruno');
  await run(bruno, [
    ...['import', 'openapi', '--source', contract, '--output', collection],
    ...['--collection-name', 'contract', '--collection-format', 'bru'],
  ]);
  const variables = { base_url: server.url, baseUrl: server.url, apiKey: server.apiKey };
  await run(
    bruno,
    [
      ...['run', '-r', '--env', 'The service without a version prefix'],
      ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
    ],
    { cwd: collection, maxBuffer: 1 << 26 },
  );
  judge(server.take());
}

async function generatedClient(server, folder) {
  mkdirSync(folder, { recursive: true });
  await generateClient(folder);
  writeFileSync(join(folder, 'usage.ts'), usageOf(server));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(({ stdout }) => {
    throw new Error(`The client does not compile:\n${stdout.slice(0, 4000)}`);
  });
  const outfile = join(folder, 'usage.mjs');
  await build({
    entryPoints: [join(folder, 'usage.ts')],
    ...{ outfile, bundle: true, packages: 'external' },
    ...{ format: 'esm', platform: 'node', logLevel: 'error' },
  });
  await run(process.execPath, [outfile]);
  judge(server.take());
}

const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] },
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
    lib: ['es2023', 'dom', 'dom.iterable'],
  },
  include: ['**/*.ts'],
};
