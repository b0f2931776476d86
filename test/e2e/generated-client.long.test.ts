import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { createMockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { operations } from '../../src/generated/operations.ts';
import { exampleSnapshot } from '../support/example-snapshot.ts';
import { root } from '../support/sources.ts';

const run = promisify(execFile);
const contract = join(root, 'openapi.yaml');

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string;
}
const document = parse(readFileSync(contract, 'utf8'));
const resolve = ({ $ref, ...inline }: { readonly $ref?: string; readonly value?: unknown }) =>
  $ref
    ? $ref
        .slice(2)
        .split('/')
        .reduce((at, key) => at[key], document)
    : inline;

/** A call of each operation in the terms of a generated client, one for each example of its body. */
const calls = Object.values(document.paths as Record<string, object>).flatMap((item) =>
  Object.values(item).flatMap(({ operationId, parameters = [], requestBody }) => {
    const given = (parameters as object[])
      .map((parameter): Parameter => resolve(parameter))
      .filter(({ example }) => example !== undefined);
    const from = (place: string) => {
      const named = given.filter((parameter) => parameter.in === place);
      return named.length > 0
        ? Object.fromEntries(named.map(({ name, example }) => [name, example]))
        : undefined;
    };
    const sent = { path: from('path'), query: from('query'), headers: from('header') };
    const examples = Object.values(requestBody?.content['application/json'].examples ?? {});
    const bodies = examples.map((body) => resolve(body as object).value);
    // A generated client reads whole JSON bodies, so the streaming example is not for it.
    const whole = bodies.filter((body) => !body.stream).map((body) => ({ ...sent, body }));
    return (bodies.length > 0 ? whole : [sent]).map((options) => ({ operationId, options }));
  }),
);

/** A program that makes every call, with a key of its own where the example has one. */
function programOf(url: string, apiKey: string): string {
  const lines = calls.map(({ operationId, options }, index) => {
    const key = options.headers?.['Idempotency-Key'] && { 'Idempotency-Key': `call-${index}` };
    const sent = { ...options, ...(key && { headers: { ...options.headers, ...key } }) };
    return `await sdk.${operationId}(${JSON.stringify(sent)});`;
  });
  return `import * as sdk from './client/sdk.gen.ts';
import { client } from './client/client.gen.ts';
client.setConfig({ baseUrl: '${url}', throwOnError: true, auth: ({ type }) => type === 'apiKey' ? '${apiKey}' : undefined });
${lines.join('\n')}
`;
}

const compilerOptions = {
  ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] },
  ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
  lib: ['es2023', 'dom', 'dom.iterable'],
};

test('the client that @hey-api/openapi-ts makes from the contract compiles, and each of its calls succeeds', async () => {
  const { snapshot, adminKey } = await exampleSnapshot();
  const mock = createMockServer({ processingTime: 0 });
  mock.restore(snapshot);
  const served = await serve(mock, { port: 0, dashboard: false });
  // Inside the project, so that the client finds what it imports.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'generated-client-'));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await served.close();
  });
  await createClient({
    input: contract,
    output: join(folder, 'client'),
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  });
  writeFileSync(join(folder, 'program.ts'), programOf(served.url, adminKey));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error);
  expect(stdout).toBe('');
  const program = join(folder, 'program.mjs');
  await build({
    ...{ entryPoints: [join(folder, 'program.ts')], outfile: program, bundle: true },
    ...{ packages: 'external', format: 'esm', platform: 'node', logLevel: 'error' },
  });
  await run(process.execPath, [program]);
  const seen = new Set(mock.requests().map(({ operation }) => operation));
  expect(Object.keys(operations).filter((name) => !seen.has(name as never))).toEqual([]);
  expect(mock.requests().filter(({ status }) => (status ?? 0) >= 300)).toEqual([]);
});
