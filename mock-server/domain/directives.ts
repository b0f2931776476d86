/** Instructions to the reference server inside a prompt, for tests that control only the prompt. */
export interface Directives {
  /** `[[fail]]` or `[[fail: message]]`: the generation fails with that message. */
  readonly fail?: string;
  /** `[[delay 3s]]` or `[[delay 250ms]]`: how long processing takes, in milliseconds. */
  readonly delayMs?: number;
  /** `[[say: text]]`: the exact result. */
  readonly say?: string;
  /** The prompt without its directives. */
  readonly rest: string;
}

const PATTERN = /\[\[\s*(fail|delay|say)\b\s*:?\s*([^\]]*?)\s*\]\]/gi;
const DELAY = /^(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s)?$/i;
const DEFAULT_FAILURE = 'The prompt asked for a failure.';

export function readDirectives(prompt: string): Directives {
  if (!prompt.includes('[[')) return { rest: prompt };
  const found: { fail?: string; delayMs?: number; say?: string } = {};
  const rest = prompt.replace(PATTERN, (whole, name: string, value: string) => {
    const kind = name.toLowerCase();
    if (kind === 'fail') found.fail = value || DEFAULT_FAILURE;
    else if (kind === 'say') found.say = value;
    else {
      const delay = DELAY.exec(value);
      if (!delay) return whole;
      const unit = delay[2]?.toLowerCase() === 'ms' ? 1 : 1000;
      found.delayMs = Math.round(Number(delay[1]) * unit);
    }
    return '';
  });
  return { ...found, rest: rest.trim() };
}
