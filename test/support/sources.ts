import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** One import, re-export, `import()` or import type of a file. */
export interface Import {
  readonly specifier: string;
  /** Path from the root, if the specifier is relative. */
  readonly file?: string;
  readonly typeOnly: boolean;
  /** Loaded with `import()`, so only when that line runs. */
  readonly dynamic: boolean;
}

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

const parsed = new Map<string, Source>();

/** The source files that match the patterns, sorted by path. */
export function sources(...patterns: string[]): Source[] {
  return files(...patterns).map(read);
}

export function files(...patterns: string[]): string[] {
  const exclude = (path: string) => /(^|\/)(node_modules|dist|\.snippets)$/.test(path);
  return globSync(patterns, { cwd: root, exclude }).sort();
}

export function read(path: string): Source {
  const known = parsed.get(path);
  if (known) return known;
  const text = readFileSync(join(root, path), 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const source = { path, text, tree, imports: importsOf(path, tree) };
  parsed.set(path, source);
  return source;
}

/** Every file that `path` loads statically: runtime imports, but not `import()`. */
export function staticGraph(path: string): Source[] {
  const seen = new Map<string, Source>([[path, read(path)]]);
  for (const source of seen.values()) {
    for (const { file, typeOnly, dynamic } of source.imports) {
      const loaded = file && !typeOnly && !dynamic && !seen.has(file) && exists(file);
      if (loaded) seen.set(file, read(file));
    }
  }
  return [...seen.values()];
}

/** Whether the path is an existing code file in this repository. The compiler reports the others. */
export function exists(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path) && existsSync(join(root, path));
}

function importsOf(path: string, tree: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node | undefined, typeOnly: boolean, dynamic: boolean) => {
    if (!node || !ts.isStringLiteralLike(node)) return;
    const file = node.text.startsWith('.') ? join(dirname(path), node.text) : undefined;
    const local = file === undefined ? {} : { file: relative('.', file) };
    found.push({ specifier: node.text, ...local, typeOnly, dynamic });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, isTypeOnly(node.importClause), false);
    } else if (ts.isExportDeclaration(node)) {
      const names = node.exportClause;
      const types =
        names !== undefined &&
        ts.isNamedExports(names) &&
        names.elements.length > 0 &&
        names.elements.every((element) => element.isTypeOnly);
      add(node.moduleSpecifier, node.isTypeOnly || types, false);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, true);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const names = clause.namedBindings;
  return (
    clause.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.length > 0 &&
    names.elements.every((element) => element.isTypeOnly)
  );
}
