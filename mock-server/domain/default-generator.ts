import { readDirectives } from './directives.ts';
import type { Generator } from './ports.ts';

/** Thrown by a generator to show its message to the caller. The message of any other error is never shown. */
export class GenerationFailure extends Error {
  /** Always `GenerationFailure`. */
  override readonly name = 'GenerationFailure';
}

const FILLERS = new Set(
  `a about an and are as at brief can clear compose could create describe detailed draft explain few for from
  generate give haiku how i in is it like list make me my of on one outline paragraph paragraphs please poem
  produce sentence sentences short simple some story summarise summarize tell text that the this to us what why
  with word words write you your`.split(/\s+/),
);

const OPENINGS = [
  'Here is what matters about {topic}.',
  '{Topic} is easier to grasp than it looks at first.',
  'Let us look at {topic} step by step.',
  'There is more to {topic} than meets the eye.',
  'Few subjects reward a closer look as {topic} does.',
];

const MIDDLES = [
  'It begins with a simple idea, and everything else follows from it.',
  'Each part does one thing, and leans on the part before it.',
  'What seems like a detail in {topic} often decides the outcome.',
  'The order matters: what comes first carries what comes after.',
  'When something goes wrong, it tells the other side and tries again.',
  'In practice, {topic} is a balance between speed and care.',
  'People who work with {topic} every day trust the small signals most.',
  'A good example says more here than a long definition.',
  'Nothing is lost as long as both ends remember what was agreed.',
  'Seen from a distance, the pattern is calm and regular.',
  'It helps to ask what would happen if {topic} were missing.',
  'The rules are few, but they are kept without exception.',
];

const CLOSINGS = [
  'That is {topic} in a nutshell.',
  'Keep this in mind, and {topic} will hold no surprise.',
  'And that is why {topic} is worth the effort.',
  'The rest is practice.',
];

const HAIKU_LINES = [
  [
    'Quiet messages',
    'Small letters travel',
    'Morning on the wire',
    'One word, then a pause',
    'Packets in the rain',
  ],
  [
    'each one finds its way back home',
    'and the far side nods in turn',
    'lost, then patiently re-sent',
    'nothing asked is left unheard',
    'in the order they were sent',
  ],
  [
    'the answer arrives',
    'a handshake, then light',
    'silence closes it',
    'both ends are at peace',
    'still, the line listens',
  ],
] as const;

/** mulberry32 seeded with an FNV-1a hash: the same text gives the same sequence. */
function chooser(text: string): (below: number) => number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  }
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Guesses the prompt's topic: the words after "about", or else its words without the filler. */
function topicOf(prompt: string): string {
  const [, about = ''] = prompt.split(/\babout\s/i, 2);
  const topic =
    about
      .slice(0, 80)
      .trim()
      .split(/[.,;:!?\n]|\sin\s{1,4}\d/, 1)[0] ?? '';
  if (topic !== '' && topic.length <= 60) return topic.trim();
  const words = prompt
    .slice(0, 400)
    .replace(/[^\p{L}\p{M}\p{N}\s'-]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()) && !/^\d+$/.test(word));
  return words.slice(0, 5).join(' ') || 'your request';
}

const WORDS = /(\d{1,5})[\s-]{1,4}words?\b/i;
const SENTENCES = /(\d{1,5})[\s-]{1,4}sentences?\b/i;

function requestedLength(prompt: string, unit: RegExp): number | undefined {
  const found = unit.exec(prompt);
  return found ? Number(found[1]) : undefined;
}

function compose(prompt: string, choose: (below: number) => number): string {
  if (/\bhaiku\b/i.test(prompt)) {
    return HAIKU_LINES.map((lines) => lines[choose(lines.length)]).join('\n');
  }
  const topic = topicOf(prompt);
  const capital = topic.charAt(0).toUpperCase() + topic.slice(1);
  const pick = (from: readonly string[]) =>
    (from[choose(from.length)] as string).replace('{topic}', topic).replace('{Topic}', capital);

  const words = requestedLength(prompt, WORDS);
  const sentences = requestedLength(prompt, SENTENCES) ?? 4 + choose(4);
  const text = [pick(OPENINGS)];
  let count = text.join(' ').split(' ').length;
  while (words === undefined ? text.length < sentences - 1 : count < words) {
    const sentence = pick(MIDDLES);
    text.push(sentence);
    count += sentence.split(' ').length;
  }
  if (words === undefined) {
    if (sentences > 1) text.push(pick(CLOSINGS));
    return text.join(' ');
  }
  const cut = text.join(' ').split(' ').slice(0, Math.max(1, words)).join(' ');
  return /[.!?]$/.test(cut) ? cut : `${cut.replace(/[,:;]$/, '')}.`;
}

/**
 * Generates text that reads like a reply to the prompt, always the same for the same model, prompt and seed. It keeps
 * to a length that the prompt asks for ("in 50 words", "3 sentences", a haiku). Directives: {@link readDirectives}.
 */
export const defaultGenerator: Generator = function* generate({ prompt, model, seed }) {
  const { fail, say, rest } = readDirectives(prompt);
  if (fail !== undefined) throw new GenerationFailure(fail);
  const text = say ?? compose(rest, chooser(`${model}\n${seed ?? 0}\n${rest}`));
  for (const piece of text.split(/(?<=\S)(?=\s)/)) yield piece;
};

export const CHARACTERS_PER_TOKEN = 4;

/** The tokens of a text. */
export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
