import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { clientEntries, mockEntries, outputName, specifier } from './entries.ts';

// The public API as the built declarations say it: one page per entry in `docs/public-api`, which a
// reviewer reads as a diff. `node scripts/public-api.mjs` writes them after a build; `npm run check:package` compares.
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs/public-api');
const entries = Object.keys({ ...clientEntries, ...mockEntries });

/** Written by `openapi.yaml` alone: its own diff shows what changes in them. */
const fromContract = new Set([
  'components',
  'operations',
  'paths',
  'webhooks',
  'contentgen/schemas',
]);

/** Opaque to users: rows of a snapshot. */
const opaque = new Set(['Tables']);

const printer = ts.createPrinter({ removeComments: true });

/** @returns {Map<string, string>} page name → text */
export function publicApi() {
  const files = new Map(
    entries.map((subpath) => [subpath, join(root, 'dist', `${outputName(subpath)}.d.ts`)]),
  );
  const missing = [...files.values()].filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`Failed to list the public API: npm run build first.`);
  const program = ts.createProgram([...files.values()], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
    noEmit: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  /** Symbol → the first entry that exports it. */
  const homes = new Map();
  const pages = [...files].map(([subpath, file]) => {
    const source = program.getSourceFile(file);
    const exported = new Map();
    for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(source))) {
      const found = original(symbol, checker);
      exported.set(found, symbol.name);
      if (!homes.has(found)) homes.set(found, specifier(subpath));
    }
    return { subpath, exported };
  });
  return new Map(
    pages.map(({ subpath, exported }) => [
      `${outputName(subpath).replaceAll('/', '-')}.md`,
      page(specifier(subpath), exported, homes, checker),
    ]),
  );
}

function page(name, exported, homes, checker) {
  const used = new Map();
  for (const symbol of exported.keys()) collect(symbol, exported, used, homes, checker);
  const elsewhere = [...used.keys()].filter((symbol) => homes.has(symbol));
  const hidden = [...used].filter(([symbol]) => !homes.has(symbol));
  const borrowed = elsewhere.map((symbol) => `${symbol.name} from '${homes.get(symbol)}'`);
  const list = (symbols) =>
    [...symbols]
      .sort(([, a], [, b]) => (a < b ? -1 : 1))
      .map(([symbol, as]) => declaration(symbol, as, name))
      .join('\n');
  const sections = [`# ${name}\n`, fence(list(exported))];
  if (borrowed.length > 0)
    sections.push('\nUsed, exported by another entry:\n', fence(borrowed.sort().join('\n')));
  if (hidden.length > 0) sections.push('\nUsed, not exported:\n', fence(list(hidden)));
  return `${sections.join('\n')}\n`;
}

const fence = (text) => `\`\`\`text\n${text}\n\`\`\``;

/** What the declarations of a symbol refer to inside the package and do not export. */
function collect(symbol, exported, used, homes, checker) {
  if (isFromContract(symbol) || opaque.has(symbol.name)) return;
  for (const node of symbol.declarations ?? []) visit(node);

  function visit(node) {
    // The client makes its resources and promises itself: what they are made from is internal.
    if (ts.isConstructorDeclaration(node)) return;
    if (ts.isIdentifier(node)) {
      const found = checker.getSymbolAtLocation(node);
      if (found) note(original(found, checker));
    }
    ts.forEachChild(node, visit);
  }

  function note(found) {
    if (exported.has(found) || used.has(found) || !isTopLevel(found)) return;
    used.set(found, found.name);
    if (!homes.has(found)) collect(found, exported, used, homes, checker);
  }
}

function isTopLevel(symbol) {
  return (symbol.declarations ?? []).some((node) => {
    const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
    return (
      statement.parent?.kind === ts.SyntaxKind.SourceFile &&
      statement.getSourceFile().fileName.startsWith(join(root, 'dist'))
    );
  });
}

function isFromContract(symbol) {
  const whole = (node) => ts.isInterfaceDeclaration(node) || ts.isVariableDeclaration(node);
  return fromContract.has(symbol.name) && (symbol.declarations ?? []).every(whole);
}

function declaration(symbol, as, entry) {
  if (isFromContract(symbol)) return `${as} // see openapi.yaml`;
  if (opaque.has(symbol.name)) return `${as} // opaque`;
  if (fromContract.has(entry)) return `const ${as} // see openapi.yaml`;
  return symbol.declarations
    .map((node) => {
      const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
      const text = printer
        .printNode(ts.EmitHint.Unspecified, statement, node.getSourceFile())
        .replace(/^(export )?(declare )?/, '')
        .replace(/^ *(#private;|private .*;)\n/gm, '');
      return as === symbol.name ? text : `${text} // as ${as}`;
    })
    .join('\n');
}

function original(symbol, checker) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The pages that differ from the committed ones. */
export function changedPages() {
  const pages = publicApi();
  const known = existsSync(folder) ? readdirSync(folder) : [];
  const names = new Set([...pages.keys(), ...known]);
  return [...names].filter((name) => {
    const path = join(folder, name);
    return !existsSync(path) || readFileSync(path, 'utf8') !== pages.get(name);
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of publicApi()) writeFileSync(join(folder, name), text);
}
