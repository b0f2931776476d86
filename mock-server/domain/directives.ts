/** Instructions to the reference server inside a prompt, for tests that control only the prompt. */
export interface Directives {
  /** `[[fail]]` or `[[fail: message]]`: the generation fails with that message. */
  readonly fail?: string;
  /** `[[delay 3s]]` or `[[delay 250ms]]`: how long processing takes, in milliseconds. */
  readonly delayMs?: number;
  /** `[[say: text]]`: the exact result. */
  readonly say?: string;
  readonly rest: string;
}

const DELAY = /^(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s)?$/i;
const DEFAULT_FAILURE = 'The prompt asked for a failure.';

/** Reads the directives of a prompt. A value ends at the first `]`, which must be the first of two. */
export function readDirectives(prompt: string): Directives {
  if (!prompt.includes('[[')) return { rest: prompt };
  const opening = /\[\[\s*(fail|delay|say)\b/gi;
  const found: { fail?: string; delayMs?: number; say?: string } = {};
  let rest = '';
  let kept = 0;
  for (let match = opening.exec(prompt); match; match = opening.exec(prompt)) {
    const end = prompt.indexOf(']', opening.lastIndex);
    if (end < 0) break;
    const text = prompt.slice(opening.lastIndex, end).trim();
    // No directive that begins before this bracket ends at a later one.
    opening.lastIndex = end + 1;
    if (prompt[end + 1] !== ']') continue;
    const value = text.startsWith(':') ? text.slice(1).trim() : text;
    const directive = readDirective(match[1]?.toLowerCase(), value);
    if (!directive) continue;
    Object.assign(found, directive);
    rest += prompt.slice(kept, match.index);
    kept = end + 2;
  }
  return { ...found, rest: (rest + prompt.slice(kept)).trim() };
}

function readDirective(
  name: string | undefined,
  value: string,
): Omit<Directives, 'rest'> | undefined {
  if (name === 'fail') return { fail: value || DEFAULT_FAILURE };
  if (name === 'say') return { say: value };
  const delay = DELAY.exec(value);
  if (!delay) return undefined;
  return { delayMs: Math.round(Number(delay[1]) * (delay[2]?.toLowerCase() === 'ms' ? 1 : 1000)) };
}
