/** A part of a regular expression, as far as it says which texts match. */
export type Part =
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number }
  | { readonly kind: 'letter'; readonly source: string }
  /** An anchor or a condition on what comes before or next. */
  | { readonly kind: 'nothing'; readonly part?: Part };

/** Reads a valid expression: the engine has compiled it before. */
export function parseExpression({ source }: RegExp): Part {
  let at = 0;

  /** What matches here, whose end is then the position. */
  function take(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern.source, 'yu');
    sticky.lastIndex = at;
    const match = sticky.exec(source) ?? undefined;
    if (match) at += match[0].length;
    return match;
  }

  function readChoice(): Part {
    const parts = [readSequence()];
    while (take(/\|/)) parts.push(readSequence());
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'choice', parts };
  }

  function readSequence(): Part {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(readTerm());
    return { kind: 'sequence', parts };
  }

  function readTerm(): Part {
    const part = readAtom();
    const quantifier = take(/([*+?])\??|\{(\d+)(,?)(\d*)\}\??/);
    if (!quantifier) return part;
    const [, sign, least, comma, most] = quantifier;
    if (sign) {
      return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    }
    const min = Number(least);
    const max = most ? Number(most) : comma ? Infinity : min;
    return { kind: 'repeat', part, min, max };
  }

  function readAtom(): Part {
    if (take(/[\^$]|\\[bB]/)) return { kind: 'nothing' };
    const group = take(/\((\?(?::|<?[=!]|<\w+>))?/);
    if (group) {
      const part = readChoice();
      take(/\)/);
      return /^\?<?[=!]$/.test(group[1] ?? '') ? { kind: 'nothing', part } : part;
    }
    const letter = take(
      /\[(?:[^\]\\]|\\.)*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x..|\\c.|\\.|[\s\S]/,
    );
    return { kind: 'letter', source: letter?.[0] ?? '' };
  }

  return readChoice();
}
