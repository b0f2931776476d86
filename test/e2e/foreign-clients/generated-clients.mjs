import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contract, contractCalls } from './contract-calls.mjs';

const text = JSON.stringify;
const asObject = (pairs) => text(Object.fromEntries(pairs));

/** These clients read a whole JSON body, so the streaming example is not for them. */
const calls = contractCalls.filter(({ body }) => !body?.stream);

/** The arguments of a call in this order, without those that the operation does not have. */
const inOrder = (...groups) => groups.flat().filter((argument) => argument !== undefined);

const values = ({ path }) => path.map(([, value]) => text(value));
const bodyOf = ({ body }) => body && text(body);
const queryOf = ({ query }) => (query.length > 0 ? asObject(query) : undefined);

/** One key for each call, as an application would send. */
let keys = 0;
function headersOf({ headers }) {
  keys += 1;
  const own = headers.map(([name, value]) =>
    name === 'Idempotency-Key' ? [name, `call-${keys}`] : [name, value],
  );
  return own.length > 0 ? text(Object.fromEntries(own)) : undefined;
}

/**
 * Each tool: `generate` writes its client into `folder`; `usage` is the source of a module that makes every call with
 * it. That module is type-checked together with the client.
 */
export const generators = [
  {
    name: '@hey-api/openapi-ts',
    async generate({ folder }) {
      const { createClient } = await import('@hey-api/openapi-ts');
      await createClient({
        input: contract,
        output: join(folder, 'client'),
        logs: { level: 'silent', file: false },
        plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      });
    },
    usage: ({ url, apiKey }) => [
      "import * as sdk from './client/sdk.gen.ts';",
      "import { client } from './client/client.gen.ts';",
      `client.setConfig({ baseUrl: ${text(url)}, throwOnError: true, auth: (scheme) => scheme.type === 'apiKey' ? ${text(apiKey)} : undefined });`,
      ...calls.map((call) => {
        const parts = inOrder(
          call.path.length > 0 ? `path: ${asObject(call.path)}` : undefined,
          call.query.length > 0 ? `query: ${asObject(call.query)}` : undefined,
          call.headers.length > 0 ? `headers: ${headersOf(call)}` : undefined,
          call.body ? `body: ${text(call.body)}` : undefined,
        );
        return `await sdk.${call.operation}({ ${parts.join(', ')} });`;
      }),
    ],
  },
  {
    name: 'orval',
    async generate({ folder, url }) {
      const { generate } = await import('orval');
      const target = join(folder, 'client.ts');
      const output = { target, client: 'fetch', mode: 'single', headers: true, baseUrl: url };
      await generate({ input: contract, output }, folder, { logLevel: 'silent' });
    },
    usage: ({ apiKey }) => [
      "import * as client from './client.ts';",
      `const options = { headers: { 'X-API-Key': ${text(apiKey)} } };`,
      ...calls.map((call) => {
        const own = [values(call), bodyOf(call), queryOf(call), headersOf(call)];
        return `await client.${call.operation}(${inOrder(...own, 'options').join(', ')});`;
      }),
    ],
  },
  {
    name: 'kubb',
    async generate({ folder }) {
      const [{ build }, { pluginOas }, { pluginTs }, { pluginClient }] = await Promise.all([
        import('@kubb/core'),
        import('@kubb/plugin-oas'),
        import('@kubb/plugin-ts'),
        import('@kubb/plugin-client'),
      ]);
      // It also writes into the current folder, whatever `root` is.
      const before = process.cwd();
      process.chdir(folder);
      const { error, failedPlugins } = await build({
        config: {
          root: folder,
          input: { path: contract },
          output: { path: './client', clean: true },
          plugins: [pluginOas({ generators: [] }), pluginTs({}), pluginClient(KUBB_CLIENT)],
        },
      }).finally(() => process.chdir(before));
      const failure = error ?? [...(failedPlugins ?? [])][0]?.error;
      if (failure) throw failure;
    },
    usage: ({ url, apiKey }) => [
      "import * as client from './client/index.ts';",
      "import { setConfig } from './client/.kubb/fetch.ts';",
      `setConfig({ baseURL: ${text(url)}, headers: { 'X-API-Key': ${text(apiKey)} } });`,
      // Its fetch sends JSON without a Content-Type, so a caller has to say what it is.
      "const json = { headers: { 'Content-Type': 'application/json' } };",
      ...calls.map((call) => {
        const config = call.body && 'json';
        const own = [values(call), bodyOf(call), queryOf(call), headersOf(call), config];
        return `await client.${call.operation}(${inOrder(...own).join(', ')});`;
      }),
    ],
  },
  {
    name: 'swagger-typescript-api',
    async generate({ folder }) {
      const { generateApi } = await import('swagger-typescript-api');
      await generateApi({
        input: contract,
        output: folder,
        fileName: 'client.ts',
        httpClientType: 'fetch',
        generateUnionEnums: true,
        silent: true,
      });
    },
    usage: ({ url, apiKey }) => [
      "import { Api } from './client.ts';",
      `const client = new Api({ baseUrl: ${text(url)}, baseApiParams: { headers: { 'X-API-Key': ${text(apiKey)} } } });`,
      ...calls.map((call) => {
        const group = call.template.startsWith('/api/') ? 'api' : 'apiKeys';
        const key = call.headers.length > 0 ? `{ headers: ${headersOf(call)} }` : undefined;
        const own = inOrder(values(call), queryOf(call), bodyOf(call), key);
        return `await client.${group}.${call.operation}(${own.join(', ')});`;
      }),
    ],
  },
  {
    name: 'oazapfts',
    async generate({ folder }) {
      const { generateSource } = await import('oazapfts');
      await writeFile(join(folder, 'client.ts'), await generateSource(contract));
    },
    usage: ({ url, apiKey }) => [
      "import * as client from './client.ts';",
      `Object.assign(client.defaults, { baseUrl: ${text(url)}, headers: { 'X-API-Key': ${text(apiKey)} } });`,
      ...calls.map((call) => {
        const headers = Object.entries(JSON.parse(headersOf(call) ?? '{}'));
        const named = [...call.query, ...headers.map(([name, value]) => [camelCase(name), value])];
        const own = [values(call), bodyOf(call), named.length > 0 ? asObject(named) : undefined];
        return `await client.${call.operation}(${inOrder(...own).join(', ')});`;
      }),
    ],
  },
  {
    name: 'openapi-zod-client',
    async generate({ folder }) {
      const [{ generateZodClientFromOpenAPI }, { default: parser }] = await Promise.all([
        import('openapi-zod-client'),
        import('@apidevtools/swagger-parser'),
      ]);
      await generateZodClientFromOpenAPI({
        openApiDoc: await parser.bundle(contract),
        distPath: join(folder, 'client.ts'),
        options: { withAlias: true, withDeprecatedEndpoints: true },
      });
    },
    // It validates requests and responses by the zod schemas that it made, but knows one success of an operation: the
    // 202 of a generation with a callback is not the 200 that it expects.
    usage: ({ url, apiKey }) => [
      "import { createApiClient } from './client.ts';",
      `const headers = { 'X-API-Key': ${text(apiKey)} };`,
      `const client = createApiClient(${text(url)}, { axiosConfig: { headers } });`,
      `const unchecked = createApiClient(${text(url)}, { validate: 'request', axiosConfig: { headers } });`,
      ...calls.map((call) => {
        const parts = inOrder(
          call.path.length > 0 ? `params: ${asObject(call.path)}` : undefined,
          call.query.length > 0 ? `queries: ${asObject(call.query)}` : undefined,
          call.headers.length > 0 ? `headers: ${headersOf(call)}` : undefined,
        );
        const body = call.method === 'GET' ? undefined : (bodyOf(call) ?? 'undefined');
        const client = call.body?.webhookUrl && call.body.prompt ? 'unchecked' : 'client';
        return `await ${client}.${call.operation}(${inOrder(body, `{ ${parts.join(', ')} }`).join(', ')});`;
      }),
    ],
  },
];

const camelCase = (name) =>
  name.toLowerCase().replace(/-(.)/g, (_, letter) => letter.toUpperCase());

const KUBB_CLIENT = { client: 'fetch', bundle: true, paramsType: 'inline' };
