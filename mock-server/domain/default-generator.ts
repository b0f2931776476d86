import { readDirectives } from './directives.ts';
import { hash } from './ids.ts';
import type { Generator } from './ports.ts';

/** Thrown by a generator to show its message to the caller. The message of any other error is never shown. */
export class GenerationFailure extends Error {
  /** Always `GenerationFailure`. */
  override readonly name = 'GenerationFailure';
}

const SENTENCES = [
  'It begins with a simple idea, and everything else follows from it.',
  'Each part does one thing, and leans on the part before it.',
  'The order matters: what comes first carries what comes after.',
  'A good example says more here than a long definition.',
  'Seen from a distance, the pattern is calm and regular.',
  'The rules are few, but they are kept without exception.',
];

const words = SENTENCES.map((sentence) => sentence.split(' ').map((word) => ` ${word}`));

/** The words of three to six of the sentences in turn, each after a space. */
function compose(number: number): string[] {
  const count = 3 + ((number >>> 8) % 4);
  const composed: string[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    composed.push(...(words[(number + turn) % words.length] ?? []));
  }
  return composed;
}

/** Generates a text that is always the same for the same model, prompt and seed. Directives: {@link readDirectives}. */
export const defaultGenerator: Generator = function* generate({ prompt, model, seed }) {
  const { fail, say, rest } = readDirectives(prompt);
  if (fail !== undefined) throw new GenerationFailure(fail);
  if (say !== undefined) yield* say.split(/(?<=\S)(?=\s)/);
  else {
    const composed = compose(hash(`${model}\n${seed ?? 0}\n${rest}`) >>> 0);
    const [first = ''] = composed;
    yield first.trimStart();
    yield* composed.slice(1);
  }
};

export const CHARACTERS_PER_TOKEN = 4;

/** The tokens of a text. */
export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
