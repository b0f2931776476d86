import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { clientEntries, commonJsEntries, mockEntries, specifier } from '../../scripts/entries.ts';
import { type Application, copyApplication } from './installed.ts';

let application: Application;
const installed = () => join(application.folder, 'node_modules/contentgen');

beforeAll(() => {
  application = copyApplication(inject('installation'));
  application.link('zod', 'msw', '@opentelemetry/api', '@types/node', 'undici-types');
});
afterAll(() => application?.remove());

describe('the value exports that declarations promise exist at run time', () => {
  // Its `node` condition is null, and MSW's own browser entry does not load in Node.
  const { './mock/browser': _, ...importable } = { ...clientEntries, ...mockEntries };

  test.each(Object.keys(importable).map(specifier))('of %s, imported', (name) => {
    application.write(
      'exported.mjs',
      `const module = await import('${name}');
      const { default: _, 'module.exports': __, ...exported } = module;
      console.log(JSON.stringify(Object.keys(exported).sort()));
      process.exit();`,
    );
    expect(declaredValues(name, 'mts')).toEqual(runtimeValues('exported.mjs'));
  });

  test.each(Object.keys(commonJsEntries).map(specifier))('of %s, required', (name) => {
    application.write(
      'exported.cjs',
      `console.log(JSON.stringify(Object.keys(require('${name}')).sort()));`,
    );
    expect(declaredValues(name, 'cts')).toEqual(runtimeValues('exported.cjs'));
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

  test('exist with their declarations for every entry that require() loads, and for no other', () => {
    const { exports } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'));
    const required = Object.keys(exports).filter((subpath) => exports[subpath].require);
    expect(required.sort()).toEqual(Object.keys(commonJsEntries).sort());
    const declared = globSync('dist/mock/**/*.d.cts', { cwd: installed() });
    expect(declared).toEqual(['dist/mock/remote.d.cts']);
  });
});

function runtimeValues(file: string): string[] {
  return JSON.parse(application.run(process.execPath, file));
}

/** The names that a consumer may use as values, as the compiler resolves the entry. */
function declaredValues(name: string, extension: 'mts' | 'cts'): string[] {
  const file = join(application.folder, `values.${extension}`);
  application.write(`values.${extension}`, `import * as entry from '${name}';\nvoid entry;\n`);
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
    noEmit: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const declaration = source?.statements.find(ts.isImportDeclaration);
  const binding = declaration?.importClause?.namedBindings;
  if (!binding || !ts.isNamespaceImport(binding)) throw new Error(`Failed to parse ${file}.`);
  const values = checker.getPropertiesOfType(checker.getTypeAtLocation(binding.name));
  return values.map((symbol) => symbol.name).sort();
}

function callsImport(text: string): boolean {
  const tree = ts.createSourceFile('file.cjs', text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): boolean =>
    (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) ||
    (ts.forEachChild(node, visit) ?? false);
  return visit(tree);
}
