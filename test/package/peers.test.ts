import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, inject, test } from 'vitest';
import { commonJsEntries, specifier } from '../../scripts/entries.ts';

/** Entries that load an optional package at once. The simulation loads two of them when it needs them. */
const needed: Readonly<Record<string, string>> = {
  'contentgen/schemas': 'zod',
  'contentgen/otel': '@opentelemetry/api',
  'contentgen/mock/msw': 'msw',
  'contentgen/mock/node': 'msw',
};
const needsMsw = 'contentgen/mock/{msw,node,browser} need msw 2 or later.';
const needsPglite = 'sqlDisk needs @electric-sql/pglite 0.4 or later.';

interface Beside {
  readonly packages: readonly string[];
  /** What an entry that cannot work with this version says. */
  readonly says?: Readonly<Record<string, string>>;
}

const besides: readonly Beside[] = [
  {
    packages: ['zod@3.22.4', '@opentelemetry/api@1.0.0', '@sinonjs/fake-timers@8'],
    says: { 'contentgen/schemas': "Package subpath './v4-mini' is not defined" },
  },
  {
    packages: ['zod@3.25.76', '@sinonjs/fake-timers@11', 'msw@1', '@electric-sql/pglite@0.2'],
    says: {
      'contentgen/mock/msw': needsMsw,
      'contentgen/mock/node': needsMsw,
      sqlDisk: needsPglite,
    },
  },
  { packages: ['zod@4.0.0', 'msw@2.0.0', '@electric-sql/pglite@0.4'] },
];

const [tarball = ''] = globSync(join(inject('installation'), '*.tgz'));
const start = promisify(execFile);

describe.concurrent('beside other packages, npm installs it, and each entry loads or says what it needs', () => {
  test.for(besides)(
    '$packages',
    { timeout: 600_000 },
    async ({ packages, says = {} }, { expect, onTestFinished }) => {
      const folder = mkdtempSync(join(tmpdir(), 'contentgen-peers-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const dependencies = Object.fromEntries(
        packages.map((name) => [
          name.slice(0, name.lastIndexOf('@')),
          name.slice(name.lastIndexOf('@') + 1),
        ]),
      );
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
      await install(folder);

      const names = Object.keys(dependencies);
      const entries = Object.keys(commonJsEntries)
        .map(specifier)
        .filter((entry) => !(entry in needed) || names.includes(`${needed[entry]}`));
      const simulated = { globals: '@sinonjs/fake-timers', sqlDisk: '@electric-sql/pglite' };
      const used = Object.entries(simulated).flatMap(([use, name]) =>
        names.includes(name) ? [use] : [],
      );
      const wanted = [...entries, ...used].map((what) => [what, says[what] ?? 'ok']);
      for (const load of ['import(name)', 'require(name)']) {
        writeFileSync(join(folder, 'load.cjs'), program(load, entries, used));
        const results: Record<string, string> = JSON.parse(await run(folder));
        for (const [what, expected] of wanted)
          expect({ load, what, result: results[`${what}`] }).toEqual({
            load,
            what,
            result: expect.stringContaining(`${expected}`),
          });
      }
    },
  );
});

/** Loads each entry, and runs a simulation with each use of an optional package. */
function program(load: string, entries: readonly string[], used: readonly string[]): string {
  return `
    const results = {};
    const attempt = async (what, work) => {
      results[what] = await Promise.resolve().then(work).then(() => 'ok', (error) => error.message);
    };
    (async () => {
      for (const name of ${JSON.stringify(entries)}) await attempt(name, () => ${load});
      const { simulate, sqlDisk } = require('contentgen/simulate');
      const options = { seeds: 2, receive: () => async () => new Response() };
      const sleep = () => new Promise((resolve) => setTimeout(resolve, 1_000));
      const schema = 'CREATE TABLE effects (id text)';
      const uses = {
        globals: { ...options, globals: true, app: () => ({}), run: sleep },
        sqlDisk: { ...options, app: ({ disk }) => sqlDisk(disk, { schema }), run: () => {} },
      };
      for (const use of ${JSON.stringify(used)}) await attempt(use, () => simulate(uses[use]));
      console.log(JSON.stringify(results));
      process.exit();
    })();`;
}

async function run(cwd: string): Promise<string> {
  return (await start(process.execPath, ['load.cjs'], { cwd })).stdout;
}

/** npm reaches the registry, which the guard in NODE_OPTIONS would prevent. */
async function install(cwd: string): Promise<void> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  await start('npm', ['install', tarball, ...quiet], { cwd, env });
}
