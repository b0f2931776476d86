import ts from 'typescript';
import type { Source } from '../support/sources.ts';

/** A regular expression of the sources, and where it stands. */
export interface Expression {
  readonly place: string;
  readonly pattern: RegExp;
}

/** Every regular expression of the files; fails on one whose text is known only when the program runs. */
export function expressionsOf(files: readonly Source[]): Expression[] {
  return files.flatMap(({ path, tree }) => {
    const found: Expression[] = [];
    const visit = (node: ts.Node): void => {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
      const place = `${path}:${line}`;
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
        found.push({ place, pattern });
      }
      if (isConstructor(node)) {
        const [source, flags] = node.arguments ?? [];
        const text = constantOf(source);
        if (text === undefined) throw new Error(`${place} builds an expression from a value.`);
        found.push({ place, pattern: new RegExp(text, constantOf(flags) ?? '') });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
  });
}

const isConstructor = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp';

/** The text of literals, templates and constants. */
function constantOf(node: ts.Expression | undefined): string | undefined {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constantOf(initializerOf(node));
  const parts = ts.isTemplateExpression(node)
    ? [
        node.head.text,
        ...node.templateSpans.flatMap((span) => [constantOf(span.expression), span.literal.text]),
      ]
    : ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
      ? [constantOf(node.left), constantOf(node.right)]
      : [undefined];
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** What the nearest block around a name declares it to be. */
function initializerOf(name: ts.Identifier): ts.Expression | undefined {
  for (let block: ts.Node = name.parent; block; block = block.parent) {
    if (!ts.isBlock(block) && !ts.isSourceFile(block)) continue;
    for (const statement of block.statements.filter(ts.isVariableStatement)) {
      const { declarations, flags } = statement.declarationList;
      const found = declarations.find((declaration) => declaration.name.getText() === name.text);
      if (found) return flags & ts.NodeFlags.Const ? found.initializer : undefined;
    }
  }
  return undefined;
}
