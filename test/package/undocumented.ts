import ts from 'typescript';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  skipLibCheck: true,
};

/**
 * Members of the generated types that mirror the structure of an OpenAPI document and need no text. A bundler of
 * declarations can have added `$1` to a name.
 */
const structure =
  /^((paths|webhooks)\.|components\.(schemas$|(?!schemas))|operations(\$\d+)?\.\w+($|\.(responses|requestBody|parameters(\.\w+)?$)))/;

/**
 * What declaration files export, with every member, option and inline property, that shows no documentation in the hover
 * of an editor: by file, as `Type.member`.
 * @param isOwn whether the declarations in a file are the package's
 */
export function undocumented(
  files: readonly string[],
  isOwn: (file: string) => boolean,
): Record<string, string[]> {
  const program = ts.createProgram([...files], options);
  const checker = program.getTypeChecker();
  const entries = files.map((file) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`Failed to read the declarations of ${file}.`);
    const exported = checker.getExportsOfModule(module);
    return [file, missingIn(exported, checker, isOwn)] as const;
  });
  return Object.fromEntries(entries);
}

function missingIn(
  exported: readonly ts.Symbol[],
  checker: ts.TypeChecker,
  isOwn: (file: string) => boolean,
): string[] {
  const missing = new Set<string>();
  const seen = new Set<ts.Symbol>();
  const isDocumented = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0;

  const visitSymbol = (symbol: ts.Symbol) => {
    if (seen.has(symbol)) return;
    seen.add(symbol);
    for (const declaration of symbol.declarations ?? []) {
      if (isOwn(declaration.getSourceFile().fileName)) visitNode(declaration, symbol.name);
    }
  };

  const visitNode = (node: ts.Node, path: string): void => {
    if (isHidden(node)) return;
    let inner = path;
    if (isMember(node)) {
      inner = `${path}.${node.name.getText()}`;
      const symbol = checker.getSymbolAtLocation(node.name);
      if (symbol && !isDocumented(symbol) && !structure.test(inner)) missing.add(inner);
    }
    // What a base type declares is a member too. Other types that are named are visited where they are exported.
    const base = ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
    const symbol = base && checker.getSymbolAtLocation(base);
    if (symbol) visitSymbol(target(symbol, checker));
    ts.forEachChild(node, (child) => visitNode(child, inner));
  };

  for (const symbol of exported) {
    const declared = target(symbol, checker);
    const isOurs = declared.declarations?.some((node) => isOwn(node.getSourceFile().fileName));
    if (!isOurs) continue;
    if (!isDocumented(declared)) missing.add(symbol.name);
    visitSymbol(declared);
  }
  return [...missing].sort();
}

/** What a symbol stands for: imports and re-exports are followed. */
const target = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** A member of an interface, class or inline type that can be named from outside. */
function isMember(node: ts.Node): node is (ts.ClassElement | ts.TypeElement) & { name: ts.Node } {
  if (!(ts.isTypeElement(node) || ts.isClassElement(node)) || !node.name) return false;
  const isPrivate = ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Private;
  const isAbsent = ts.isPropertySignature(node) && node.type?.kind === ts.SyntaxKind.NeverKeyword;
  return !isPrivate && !isAbsent && !ts.isPrivateIdentifier(node.name);
}

/** What no hover shows: the constraint of a type parameter, the pattern of a conditional type, the shape of a zod schema. */
function isHidden(node: ts.Node): boolean {
  if (ts.isTypeParameterDeclaration(node)) return true;
  if (ts.isConditionalTypeNode(node.parent) && node.parent.extendsType === node) return true;
  return ts.isTypeReferenceNode(node) && node.typeName.getText().startsWith('z.');
}
