// What clients cost the compiler: tsc checks one small program for each. Compare rows within one run.
// npm run build && npm ci --prefix bench && node bench/client/types.mjs [--quick] [--write]
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTables } from '../comparison.mjs';
import { median } from './median.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bench = fileURLToPath(new URL('..', import.meta.url));
const rounds = process.argv.includes('--quick') ? 1 : 5;

/** Each makes one call and reads one field of the result and one of the error. */
const programs = {
  nothing: 'export {};',
  'openapi-fetch': `
    import createClient from 'openapi-fetch';
    import type { paths } from './openapi.ts';
    const client = createClient<paths>({ baseUrl: 'https://api.example.com' });
    const { data, error } = await client.POST('/api/ai/content/generate', { body: { prompt: 'p' } });
    console.log(typeof data === 'object' && 'result' in data ? data.result : error?.code);`,
  contentgen: `
    import { ContentGen, isApiError } from 'contentgen';
    const client = new ContentGen({ baseUrl: 'https://api.example.com', apiKey: 'k' });
    try {
      console.log((await client.content.generate({ prompt: 'p' })).result);
    } catch (error) {
      if (isApiError(error)) console.log(error.code);
    }`,
  'contentgen, client.http': `
    import { ContentGen } from 'contentgen';
    const client = new ContentGen({ baseUrl: 'https://api.example.com', apiKey: 'k' });
    const request = { body: { prompt: 'p' } };
    const { data, error } = await client.http.POST('/api/ai/content/generate', request);
    console.log(typeof data === 'object' && 'result' in data ? data.result : error?.code);`,
  openai: `
    import OpenAI from 'openai';
    const client = new OpenAI({ apiKey: 'k' });
    try {
      const messages = [{ role: 'user' as const, content: 'p' }];
      console.log((await client.chat.completions.create({ model: 'm', messages })).choices[0]?.message);
    } catch (error) {
      if (error instanceof OpenAI.APIError) console.log(error.code);
    }`,
  anthropic: `
    import Anthropic from '@anthropic-ai/sdk';
    const client = new Anthropic({ apiKey: 'k' });
    try {
      const messages = [{ role: 'user' as const, content: 'p' }];
      console.log((await client.messages.create({ model: 'm', max_tokens: 9, messages })).content[0]);
    } catch (error) {
      if (error instanceof Anthropic.APIError) console.log(error.status);
    }`,
  stripe: `
    import Stripe from 'stripe';
    const client = new Stripe('k');
    try {
      console.log((await client.customers.create({ email: 'p@example.com' })).id);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) console.log(error.code);
    }`,
};

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  types: [],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  allowImportingTsExtensions: true,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  paths: { contentgen: [join(root, 'dist/index.d.ts')] },
};

const folder = mkdtempSync(join(bench, '.types-'));
try {
  copyFileSync(join(root, 'src/generated/openapi.ts'), join(folder, 'openapi.ts'));
  const results = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, text] of Object.entries(programs)) results[name].push(check(text));
  }
  report(results);
} finally {
  rmSync(folder, { recursive: true });
}

/** The compiler's statistics for one program. */
function check(text) {
  writeFileSync(join(folder, 'main.ts'), text);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['main.ts'] }),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, '-p', folder, '--extendedDiagnostics'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The program does not compile:\n${stdout.slice(0, 2000)}`);
  const figure = (label) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
  return {
    lines: figure('Lines of Definitions') + figure('Lines of TypeScript'),
    types: figure('Types'),
    instantiations: figure('Instantiations'),
    checkMs: figure('Check time') * 1000,
    memoryMB: figure('Memory used') / 1000,
  };
}

function report(results) {
  const middle = (name, key) => median(results[name].map((result) => result[key]));
  const above = (name, key) => middle(name, key) - middle('nothing', key);
  const names = Object.keys(programs).filter((name) => name !== 'nothing');
  const rows = names
    .sort((a, b) => above(a, 'lines') - above(b, 'lines'))
    .map((name) => {
      const figures = ['lines', 'types', 'instantiations', 'checkMs', 'memoryMB'];
      return `| ${[name, ...figures.map((key) => Math.round(above(name, key)))].join(' | ')} |`;
    });
  const text = [
    '### Type-checking a small program, above an empty one',
    '',
    '| package | lines of types | types | instantiations | check, ms | memory, MB |',
    '| --- | --: | --: | --: | --: | --: |',
    ...rows,
  ].join('\n');
  console.log(text);
  if (process.argv.includes('--write')) writeTables('types', text);
}
