import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { clientEntries, commandEntry, mockEntries } from '../scripts/entries.ts';
import {
  exists,
  files,
  type Import,
  read,
  root,
  type Source,
  sources,
  staticGraph,
} from './support/sources.ts';
import { atModuleLevel, linesOfCode, platformUses } from './support/syntax.ts';

const src = sources('src/**/*.ts');
const mock = sources('mock-server/**/*.{ts,tsx}');

/** What each part of `src` may import besides itself. */
const below: Record<string, readonly string[]> = {
  platform: [],
  generated: [],
  options: ['generated'],
  base: ['generated', 'options'],
  signing: ['generated', 'options', 'base'],
  core: ['generated', 'options', 'base', 'signing'],
  resources: ['generated', 'options', 'base', 'signing', 'core'],
  client: ['generated', 'options', 'base', 'signing', 'core', 'resources'],
  deployment: ['generated', 'options', 'base', 'signing'],
  webhooks: ['generated', 'options', 'base', 'signing'],
  testing: ['generated', 'options', 'base', 'signing', 'deployment', 'webhooks', 'client'],
  otel: ['generated', 'options', 'base', 'core', 'webhooks'],
  pacing: ['generated', 'base', 'options', 'core'],
};

/** Floors of the reference server: a file imports from its own or a lower one. */
const floors: Record<string, number> = {
  contract: 0,
  'real-timers': 0,
  domain: 1,
  api: 2,
  control: 2,
  stores: 3,
  outbound: 3,
  platform: 3,
  'control-api': 3,
  composition: 3,
  http: 4,
  msw: 4,
  simulate: 4,
  cli: 5,
  dashboard: 5,
};

/** The only files of `mock-server` that may import `src`, and what each may take. */
const srcImporters: Record<string, { readonly from: RegExp; readonly typeOnly?: true }> = {
  'mock-server/contract.ts': { from: /^src\/generated\//, typeOnly: true },
  'mock-server/api/schema-errors.ts': { from: /^src\/generated\/validators\.ts$/ },
  'mock-server/api/read-body.ts': { from: /^src\/read-up-to\.ts$/ },
  'mock-server/api/routes.ts': { from: /^src\/generated\/operations\.ts$/ },
  'mock-server/domain/event-names.ts': { from: /^src\/generated\/names\.ts$/ },
  'mock-server/domain/redact.ts': { from: /^src\/(clean-text|quotations|redact)\.ts$/ },
  'mock-server/api/own-contract.ts': { from: /^src\/generated\/operations\.ts$/, typeOnly: true },
  'mock-server/api/own-schemas.ts': { from: /^src\/generated\/(names|operations)\.ts$/ },
  'mock-server/domain/signing-secrets.ts': { from: /^src\/signing\/secret-format\.ts$/ },
  'mock-server/cli/log.ts': { from: /^src\/testing\/rejection-advice\.ts$/ },
  'mock-server/cli/doctor/finding.ts': { from: /^src\/webhooks\/defaults\.ts$/ },
  'mock-server/cli/doctor/saved-request.ts': { from: /^src\/testing\/find-scheme\.ts$/ },
  'mock-server/cli/doctor/service.ts': {
    from: /^src\/(generated\/routes|path-in-base-url)\.ts$/,
  },
  'mock-server/domain/delivery/redeliver.ts': { from: /^src\/generated\/samples\.ts$/ },
  'mock-server/domain/delivery/retry-schedule.ts': { from: /^src\/retry-after\.ts$/ },
  'mock-server/domain/deployment.ts': { from: /^src\/deployment-port\.ts$/ },
  'mock-server/domain/options.ts': { from: /^src\/options\// },
  'mock-server/create-mock-server.ts': { from: /^src\/(signing\/|generated\/version\.ts$)/ },
  'mock-server/simulate/run.ts': { from: /^src\/(client|platform\/driver)\.ts$/ },
  'mock-server/simulate/play.ts': { from: /^src\/errors\.ts$/ },
  'mock-server/simulate/simulated-postgres.ts': {
    from: /^src\/webhooks\/dedupe\/postgres-(statements|table)\.ts$/,
  },
  'mock-server/simulate/clock.ts': { from: /^src\/platform\/driver\.ts$/, typeOnly: true },
  'mock-server/simulate/options.ts': { from: /^src\/client\.ts$/, typeOnly: true },
};

const publicSources = new Set<string>(Object.values({ ...clientEntries, ...mockEntries }));

describe('floors', () => {
  test('a part of src imports only from itself or a lower part', () => {
    expect(
      violations(src, ({ path }, { file }) => {
        if (!file?.startsWith('src/') || file.startsWith('src/platform/')) return false;
        const [own, other] = [partOfSrc(path), partOfSrc(file)];
        return own !== other && !below[own]?.includes(other);
      }),
    ).toEqual([]);
  });

  test('a part of the reference server imports only from itself or a lower part', () => {
    expect(
      violations(mock, ({ path }, { file }) => {
        if (!file?.startsWith('mock-server/')) return false;
        return floor(path) < floor(file);
      }),
    ).toEqual([]);
  });

  test('deliveries stand on the rest of the domain, which never imports them', () => {
    const isDelivery = (path: string) => path.startsWith('mock-server/domain/delivery/');
    const domain = mock.filter(({ path }) => path.startsWith('mock-server/domain/'));
    expect(
      violations(domain, ({ path }, { file }) => !isDelivery(path) && isDelivery(file ?? '')),
    ).toEqual([]);
  });

  test('src never imports the reference server', () => {
    expect(
      violations(src, (_, { file }) => file !== undefined && !file.startsWith('src/')),
    ).toEqual([]);
  });

  test('only the named files of the reference server import src', () => {
    expect(
      violations(mock, ({ path }, { file, typeOnly }) => {
        if (!file?.startsWith('src/')) return false;
        if (/^mock-server\/(cli|dashboard)\//.test(path) && publicSources.has(file)) return false;
        const importer = srcImporters[path];
        return !importer?.from.test(file) || (importer.typeOnly === true && !typeOnly);
      }),
    ).toEqual([]);
  });

  test('each row of these tables names something that exists and that it is needed for', () => {
    const parts = new Set(src.map(({ path }) => partOfSrc(path)));
    expect(Object.keys(below).filter((part) => !parts.has(part))).toEqual([]);
    const onFloors = new Set(mock.map(({ path }) => partOfMock(path)));
    expect(Object.keys(floors).filter((part) => !onFloors.has(part))).toEqual([]);
    const unneeded = Object.entries(srcImporters).filter(
      ([path, { from }]) =>
        !exists(path) || !read(path).imports.some(({ file }) => from.test(file ?? '')),
    );
    expect(unneeded.map(([path]) => path)).toEqual([]);
  });

  test('no file imports itself through others, types included', () => {
    const circular = [...src, ...mock].filter(({ path }) => reachable(path).has(path));
    expect(circular.map(({ path }) => path)).toEqual([]);
  });
});

describe('what loads what', () => {
  test('contentgen/mock and the standalone server load no MSW', () => {
    const entries = [
      'mock-server/index.ts',
      mockEntries['./mock/http'],
      commandEntry['./mock/cli'],
    ];
    const graphs = entries.flatMap((entry) => staticGraph(entry));
    expect(violations(graphs, (_, { specifier: name }) => /^msw(\/|$)/.test(name))).toEqual([]);
  });

  test('entries for every runtime load no module of Node', () => {
    const { './webhooks/node': _adapter, ...universal } = clientEntries;
    const { './mock': core, './mock/remote': remote } = mockEntries;
    const graphs = [...Object.values(universal), core, remote].flatMap((entry) =>
      staticGraph(entry),
    );
    expect(
      violations(graphs, (_, { specifier: name, typeOnly, dynamic }) => {
        return !typeOnly && !dynamic && /^(node:|undici)/.test(name);
      }),
    ).toEqual([]);
  });

  test('importing a file touches no global that is costly, or forbidden there in Workers', () => {
    const costly = /^(AbortController|FormData|Headers|Request|Response|fetch)$/;
    expect(touchedAtModuleLevel([...src, ...mock], costly)).toEqual([]);
  });

  test('importing a file for every runtime touches no global that one of them lacks', () => {
    const lacking =
      /^(TextEncoder|TextDecoder|ReadableStream|TransformStream|crypto|performance|process|Buffer|URL|URLSearchParams|structuredClone|WeakRef|navigator|location|document)$/;
    const oneRuntime = /^(src\/webhooks\/node|mock-server\/(cli|dashboard|http|simulate|stores))\//;
    const universal = [...src, ...mock].filter(({ path }) => !oneRuntime.test(path));
    expect(touchedAtModuleLevel(universal, lacking)).toEqual([]);
  });

  test('entry files only re-export', () => {
    const entries = [
      clientEntries['.'],
      clientEntries['./webhooks'],
      clientEntries['./testing'],
      mockEntries['./mock'],
    ];
    const withLogic = entries.filter((entry) =>
      read(entry).tree.statements.some(
        (statement) => !ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement),
      ),
    );
    expect(withLogic).toEqual([]);
  });
});

describe('files', () => {
  test('the domain uses no clock, timer or randomness of the platform', () => {
    const forbidden =
      /^(Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|setImmediate|queueMicrotask|fetch|(performance|crypto|process)(\..*)?)$/;
    const used = sources('mock-server/domain/**/*.ts').flatMap(({ path, tree }) =>
      platformUses(tree)
        .filter((use) => forbidden.test(use))
        .map((use) => `${path}: ${use}`),
    );
    expect(used).toEqual([]);
  });

  test('client and receiver take time and randomness from platform/driver', () => {
    const forbidden =
      /^(Date\.now|Math\.random|setTimeout|setInterval|performance|crypto\.randomUUID)$/;
    const used = sources('src/{core,resources,webhooks}/**/*.ts').flatMap(({ path, tree }) =>
      platformUses(tree)
        .filter((use) => forbidden.test(use))
        .map((use) => `${path}: ${use}`),
    );
    expect(used).toEqual([]);
  });

  test('a hand-written file has at most 300 lines of code', () => {
    const long = files(
      '{src,mock-server,examples,test,bench,scripts}/**/*.{ts,tsx,mjs}',
      '*.{ts,mjs}',
    )
      .filter((path) => !path.startsWith('src/generated/'))
      // Parsing takes long: a file with few lines has few lines of code too.
      .filter((path) => readFileSync(join(root, path), 'utf8').split('\n').length > 300)
      .map((path) => ({ path, lines: linesOfCode(read(path).tree) }))
      .filter(({ lines }) => lines > 300);
    expect(long).toEqual([]);
  });

  test('file names are kebab-case', () => {
    const odd = files('{src,mock-server,examples,test,bench,scripts}/**/*.{ts,tsx,mjs}').filter(
      (path) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(path.split('/').at(-1) ?? ''),
    );
    expect(odd).toEqual([]);
  });

  test('no source is left unfinished', () => {
    const marks = /\b(TODO|FIXME|XXX|HACK)\b|not implemented/i;
    const unfinished = [...src, ...mock, ...sources('examples/**/*.ts')].filter(({ text }) =>
      marks.test(text),
    );
    expect(unfinished.map(({ path }) => path)).toEqual([]);
  });
});

function touchedAtModuleLevel(from: Source[], globals: RegExp): string[] {
  return from.flatMap(({ path, tree }) =>
    atModuleLevel(tree)
      .filter((name) => globals.test(name) && !path.endsWith('.d.ts'))
      .map((name) => `${path}: ${name}`),
  );
}

function violations(from: Source[], forbidden: (source: Source, found: Import) => boolean) {
  const lines = from.flatMap((source) =>
    source.imports
      .filter((found) => forbidden(source, found))
      .map((found) => `${source.path} → ${found.file ?? found.specifier}`),
  );
  return [...new Set(lines)];
}

/** Every file that a file imports, directly or through others. */
function reachable(path: string, seen: Set<string> = new Set()): Set<string> {
  for (const { file } of read(path).imports) {
    if (!file || seen.has(file) || !exists(file)) continue;
    seen.add(file);
    reachable(file, seen);
  }
  return seen;
}

function partOfSrc(path: string): string {
  const [, first = ''] = path.split('/');
  if (
    /^(clean-text|deployment-port|errors|path-in-base-url|quotations|read-up-to|redact|retry-after|scheme-port|server-sent-events|types)\.ts$/.test(
      first,
    )
  )
    return 'base';
  if (/^(resolve-)?options\.ts$/.test(first)) return 'core';
  return first.endsWith('.ts') ? 'client' : first;
}

function partOfMock(path: string): string {
  const [, first = ''] = path.split('/');
  if (first === 'contract.ts' || first === 'real-timers.ts') return first.slice(0, -'.ts'.length);
  return first.endsWith('.ts') ? 'composition' : first;
}

function floor(path: string): number {
  const found = floors[partOfMock(path)];
  if (found === undefined) throw new Error(`${path} is on no floor`);
  return found;
}
