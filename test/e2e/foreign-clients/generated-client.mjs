import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { contract, contractCalls } from './contract-calls.mjs';

const text = JSON.stringify;
const asObject = (pairs) => text(Object.fromEntries(pairs));

/** The client reads a whole JSON body, so the streaming example is not for it. */
const calls = contractCalls.filter(({ body }) => !body?.stream);

/** Writes the client into `folder`. */
export async function generateClient(folder) {
  await createClient({
    input: contract,
    output: join(folder, 'client'),
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  });
}

/** The source of a module that makes every call with the client. It is type-checked together with the client. */
export function usageOf({ url, apiKey }) {
  return [
    "import * as sdk from './client/sdk.gen.ts';",
    "import { client } from './client/client.gen.ts';",
    `client.setConfig({ baseUrl: ${text(url)}, throwOnError: true, auth: (scheme) => scheme.type === 'apiKey' ? ${text(apiKey)} : undefined });`,
    ...calls.map((call, index) => {
      const parts = [
        call.path.length > 0 && `path: ${asObject(call.path)}`,
        call.query.length > 0 && `query: ${asObject(call.query)}`,
        call.headers.length > 0 && `headers: ${headersOf(call, `call-${index}`)}`,
        call.body && `body: ${text(call.body)}`,
      ];
      return `await sdk.${call.operation}({ ${parts.filter(Boolean).join(', ')} });`;
    }),
  ].join('\n');
}

/** One key for each call, as an application would send. */
function headersOf({ headers }, key) {
  return asObject(
    headers.map(([name, value]) => (name === 'Idempotency-Key' ? [name, key] : [name, value])),
  );
}
