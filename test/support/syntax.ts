import ts from 'typescript';

/** Number of lines with code; blank lines and comment lines do not count. */
export function linesOfCode(tree: ts.SourceFile): number {
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    if (node.getChildCount(tree) > 0) {
      for (const child of node.getChildren(tree)) visit(child);
      return;
    }
    const start = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
    const end = tree.getLineAndCharacterOfPosition(node.getEnd()).line;
    if (node.getEnd() > node.getStart(tree)) {
      for (let line = start; line <= end; line++) lines.add(line);
    }
  };
  visit(tree);
  return lines.size;
}

/** Names of the variables that are read while the module is evaluated. */
export function atModuleLevel(tree: ts.SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionWithTypeArguments(node)) {
      visit(node.expression);
      return;
    }
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isFunctionLike(node)) return;
    if (ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (ts.isPropertyDeclaration(node) && !has(node, ts.SyntaxKind.StaticKeyword)) return;
    if (ts.isVariableStatement(node) && has(node, ts.SyntaxKind.DeclareKeyword)) return;
    if (ts.isPropertyAccessExpression(node)) {
      if (node.expression.getText(tree) === 'globalThis') names.push(node.name.text);
      visit(node.expression);
      return;
    }
    if (ts.isPropertyAssignment(node)) {
      visit(node.initializer);
      return;
    }
    if (ts.isIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return names;
}

function has(node: ts.PropertyDeclaration | ts.VariableStatement, modifier: ts.SyntaxKind) {
  return node.modifiers?.some(({ kind }) => kind === modifier) ?? false;
}

/** Called names, `A.b` reads, and `new A()` without arguments, as written. */
export function platformUses(tree: ts.SourceFile): string[] {
  const uses: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isNewExpression(node) && !node.arguments?.length) {
      uses.push(`new ${node.expression.getText(tree)}()`);
    }
    if (ts.isPropertyAccessExpression(node)) {
      uses.push(node.getText(tree).replace(/\?\./g, '.'));
      visit(node.expression);
      return;
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      uses.push(node.expression.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return uses;
}
