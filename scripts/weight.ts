import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Loader, transformSync } from 'esbuild';

// Prints what each feature weighs, and fails if one outgrew its row in weights.json by a tenth. `--write` takes the
// present weights: commit them together with what made the feature grow, and say why.
const root = fileURLToPath(new URL('..', import.meta.url));
const rowsFile = join(root, 'scripts/weights.json');

interface Weight {
  readonly source: number;
  readonly tests: number;
  readonly bytes: number;
}
type Weights = Readonly<Record<string, Weight>>;

/** Feature → where its source and its tests are. Each file belongs to one feature. */
export const features: Readonly<Record<string, readonly [source: string[], tests: string[]]>> = {
  client: [
    ['src/*.ts', 'src/{core,options,pacing,platform,resources}/**'],
    ['test/{client,leaks}/**'],
  ],
  signing: [['src/signing/**'], ['test/{signing,vectors}/**']],
  deployment: [['src/deployment/**'], ['test/deployment/**']],
  receiver: [['src/webhooks/**'], ['test/{chaos,webhooks}/**']],
  'test deliveries': [['src/testing/**'], ['test/testing/**']],
  traces: [['src/otel/**'], ['test/otel/**']],
  'reference server': [
    ['mock-server/*.ts', 'mock-server/{api,composition,domain,outbound,platform}/**'],
    [
      'test/{contract,fuzz,model,security}/**',
      'test/mock-server/*.ts',
      'test/mock-server/{delivery,domain,outbound,platform,service}/**',
    ],
  ],
  control: [
    ['mock-server/{control,control-api}/**'],
    ['test/mock-server/{control,control-api}/**'],
  ],
  transports: [['mock-server/{http,msw}/**'], ['test/mock-server/{http,msw}/**']],
  stores: [['mock-server/stores/**'], ['test/mock-server/stores/**']],
  simulation: [['mock-server/simulate/**'], ['test/simulate/**']],
  command: [['mock-server/cli/**'], ['test/mock-server/cli/**']],
  dashboard: [['mock-server/dashboard/**'], ['test/mock-server/dashboard/**']],
  'package and documents': [
    ['scripts/**'],
    [
      'test/*.ts',
      'test/{e2e,foreign,frameworks,package,registry,runtimes,scripts,support,types}/**',
    ],
  ],
  benchmarks: [['bench/**'], []],
};

/** What every feature weighs: lines of source, lines of tests, bytes of its minified and compressed source. */
export function weigh(): Weights {
  return Object.fromEntries(
    Object.entries(features).map(([name, [source, tests]]) => [
      name,
      { source: lines(source), tests: lines(tests), bytes: bytes(source) },
    ]),
  );
}

/** What is more than a tenth over its row, or has none, as sentences. */
export function outgrown(weights: Weights, rows: Weights): string[] {
  return Object.entries(weights).flatMap(([name, weight]) => {
    const row = rows[name];
    if (!row) return [`${name} has no row.`];
    return Object.entries(weight)
      .filter(([unit, now]) => now > row[unit as keyof Weight] * 1.1)
      .map(
        ([unit, now]) =>
          `${name}: ${unit} is ${now}, more than a tenth over its row, ${row[unit as keyof Weight]}.`,
      );
  });
}

/** Files of these that belong to no feature, or to several. */
export function misplaced(files: readonly string[]): string[] {
  const found = Object.values(features).flatMap(([source, tests]) =>
    filesOf([...source, ...tests]),
  );
  const count = Map.groupBy(found, (path) => path);
  return files.filter((path) => count.get(path)?.length !== 1);
}

export function filesOf(patterns: readonly string[]): string[] {
  const isLeftOut = (path: string) => /(^|\/)(node_modules|\.snippets|generated)$/.test(path);
  return globSync([...patterns], { cwd: root, exclude: isLeftOut }).filter((path) =>
    /\.(ts|tsx|mjs|cjs|css)$/.test(path),
  );
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

function lines(patterns: readonly string[]): number {
  return filesOf(patterns).reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
}

function bytes(patterns: readonly string[]): number {
  const minified = filesOf(patterns).map((path) => {
    const loader = extname(path)
      .slice(1)
      .replace(/^[mc]js$/, 'js') as Loader;
    return transformSync(read(path), { loader, minify: true }).code;
  });
  return gzipSync(minified.join('\n')).length;
}

function main(): void {
  const weights = weigh();
  const print = (name: string, ...columns: readonly (number | string)[]) =>
    console.log(name.padEnd(24), ...columns.map((column) => String(column).padStart(8)));
  print('feature', 'source', 'tests', 'bytes');
  for (const [name, { source, tests, bytes }] of Object.entries(weights))
    print(name, source, tests, bytes);
  if (process.argv.includes('--write')) {
    writeFileSync(rowsFile, `${JSON.stringify(weights, null, 2)}\n`);
    return;
  }
  const faults = [
    ...outgrown(weights, JSON.parse(readFileSync(rowsFile, 'utf8'))),
    ...misplaced(filesOf(['{src,mock-server,test,scripts,bench}/**'])).map(
      (path) => `${path} belongs to no feature, or to several: see features in scripts/weight.ts.`,
    ),
  ];
  if (faults.length === 0) return;
  console.error(`\n${faults.join('\n')}
Remove something, or run npm run weight -- --write, commit scripts/weights.json with the change, and say why in the message.`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
