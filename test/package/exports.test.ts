import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { clientEntries, commonJsEntries, mockEntries, specifier } from '../../scripts/entries.ts';
import { createProgram, faultsOf } from './compiler.ts';
import { type Application, copyApplication } from './installed.ts';

let application: Application;
const installed = () => join(application.folder, 'node_modules/contentgen');

beforeAll(() => {
  application = copyApplication(inject('installation'));
  application.link('zod', 'msw', '@opentelemetry/api', '@types/node', 'undici-types');
});
afterAll(() => application?.remove());

// Its `node` condition is null, and MSW's own browser entry does not load in Node.
const { './mock/browser': browserOnly, ...importable } = { ...clientEntries, ...mockEntries };
const imported = Object.keys(importable).map(specifier);
const required = Object.keys(commonJsEntries).map(specifier);
const browser = Object.keys({ './mock/browser': browserOnly }).map(specifier);

describe('every declaration, in a strict consumer with TypeScript 5', () => {
  let declared: Consumer;
  let existing: { import: Record<string, string[]>; require: Record<string, string[]> };

  beforeAll(() => {
    declared = compile();
    existing = {
      import: runtimeValues('mjs', `await import(name)`, imported),
      require: runtimeValues('cjs', `require(name)`, required),
    };
  });

  test('compiles', () => {
    expect(declared.errors).toEqual([]);
  });

  test.each(imported)('declares exactly the values that importing %s provides', (name) => {
    expect(declared.values('mts', name)).toEqual(existing.import[name]);
  });

  test.each(required)('declares exactly the values that requiring %s provides', (name) => {
    expect(declared.values('cts', name)).toEqual(existing.require[name]);
  });
});

describe('CommonJS files', () => {
  test('contain no import(), which Jest cannot run without flags', () => {
    const files = globSync('dist/**/*.cjs', { cwd: installed() });
    expect(files.length).toBeGreaterThan(0);
    const importing = files.filter((file) =>
      callsImport(readFileSync(join(installed(), file), 'utf8')),
    );
    expect(importing).toEqual([]);
  });
});

/** The names of the values that each entry has when it is loaded, without `default`, which CommonJS adds to most. */
function runtimeValues(extension: 'mjs' | 'cjs', load: string, names: readonly string[]) {
  application.write(
    `exported.${extension}`,
    `const values = {};
    for (const name of ${JSON.stringify(names)}) {
      const { default: _, 'module.exports': __, ...exported } = ${load};
      values[name] = Object.keys(exported).sort();
    }
    console.log(JSON.stringify(values));
    process.exit();`,
  );
  return JSON.parse(application.run(process.execPath, `exported.${extension}`));
}

interface Consumer {
  readonly errors: string[];
  /** The names that a consumer may use as values. */
  values(extension: 'mts' | 'cts', name: string): string[];
}

/** A consumer of every entry. One program serves all tests, because making one takes seconds. */
function compile(): Consumer {
  const consumers = { mts: [...imported, ...browser], cts: required };
  for (const [extension, names] of Object.entries(consumers)) {
    const lines = names.flatMap((name, n) => [`import * as m${n} from '${name}';`, `void m${n};`]);
    application.write(`all.${extension}`, lines.join('\n'));
  }
  const program = createProgram(application.folder, ['all.mts', 'all.cts'], {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: ['node'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  });
  const checker = program.getTypeChecker();
  return {
    errors: faultsOf(program).map(({ file, message }) => `${file}: ${message}`),
    values(extension, name) {
      const source = program.getSourceFile(join(application.folder, `all.${extension}`));
      const declarations = source?.statements.filter(ts.isImportDeclaration) ?? [];
      const binding = declarations.find(
        ({ moduleSpecifier }) =>
          ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === name,
      )?.importClause?.namedBindings;
      if (!binding || !ts.isNamespaceImport(binding)) throw new Error(`${name} is not imported.`);
      const values = checker.getPropertiesOfType(checker.getTypeAtLocation(binding.name));
      const names = values.map((symbol) => symbol.name);
      return names.filter((name) => name !== 'default').sort();
    },
  };
}

function callsImport(text: string): boolean {
  const tree = ts.createSourceFile('file.cjs', text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): boolean =>
    (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) ||
    (ts.forEachChild(node, visit) ?? false);
  return visit(tree);
}
