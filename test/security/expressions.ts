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
        const text = literalOf(source);
        if (text === undefined) throw new Error(`${place} builds an expression from a value.`);
        found.push({ place, pattern: new RegExp(text, literalOf(flags) ?? '') });
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

const literalOf = (node: ts.Expression | undefined): string | undefined =>
  node && ts.isStringLiteralLike(node) ? node.text : undefined;
