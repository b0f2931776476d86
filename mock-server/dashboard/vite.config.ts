import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { parse } from 'yaml';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

type Json = { readonly [name: string]: Json };

/** The operations that the page has a form for. */
const OPERATIONS = [
  'generateContent',
  'createApiKey',
  'createWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
  'regenerateApiKey',
];

const contract = parse(readFileSync(path('../../openapi.yaml'), 'utf8')) as Json;

const operations = Object.values(contract['paths'] ?? {})
  .flatMap((item) => Object.values(item))
  .filter(({ operationId }) => operationId);

function requestSchemas(): Json {
  const schemas = OPERATIONS.map((id) => {
    const found = operations.find(({ operationId }) => String(operationId) === id);
    const schema = found?.['requestBody']?.['content']?.['application/json']?.['schema'];
    if (!schema) throw new Error(`Failed to find a request schema of ${id} in openapi.yaml.`);
    return [id, resolve(schema)];
  });
  return Object.fromEntries(schemas);
}

function resolve(value: Json): Json {
  if (Array.isArray(value)) return value.map(resolve) as unknown as Json;
  if (Object(value) !== value) return value;
  const { $ref, ...rest } = value;
  const members = Object.entries(rest).map(([name, member]) => [name, resolve(member)]);
  const own = Object.fromEntries(members) as Json;
  if ($ref === undefined) return own;
  const names = String($ref).replace(/^#\//, '').split('/');
  const target = names.reduce<Json | undefined>((at, name) => at?.[name], contract);
  if (!target) throw new Error(`Failed to resolve ${$ref} in openapi.yaml.`);
  return { ...resolve(target), ...own };
}

/** Relative asset addresses: the built folder works under any static mount. */
export default defineConfig({
  root: path('.'),
  base: './',
  publicDir: path('./public'),
  logLevel: 'warn',
  define: {
    REQUEST_SCHEMAS: JSON.stringify(requestSchemas()),
    OPERATION_IDS: JSON.stringify(operations.map(({ operationId }) => operationId)),
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: path('../../dist/mock/dashboard'),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
