import type { Context } from './context.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARS = 16;

export type IdPrefix = 'gen' | 'key' | 'wh' | 'msg' | 'dlv' | 'inv' | 'org' | 'prj' | 'usr' | 'req';

let lastTime = { ms: 0, chars: '0000000000' };

/** Many ids share a millisecond. */
function timeChars(ms: number): string {
  if (lastTime.ms === ms) return lastTime.chars;
  let chars = '';
  for (let left = ms, at = 0; at < 10; at += 1, left = Math.floor(left / 32)) {
    chars = (ALPHABET[left % 32] as string) + chars;
  }
  lastTime = { ms, chars };
  return chars;
}

/** The next string of the same length, or undefined after the last. */
function increment(chars: string): string | undefined {
  let at = chars.length - 1;
  while (at >= 0 && chars[at] === 'z') at -= 1;
  if (at < 0) return undefined;
  const next = ALPHABET[ALPHABET.indexOf(chars[at] as string) + 1] as string;
  return chars.slice(0, at) + next + '0'.repeat(chars.length - at - 1);
}

/**
 * A lower-case ULID under a prefix. Within an organization's stream the order of ids is the order of creation,
 * also inside a millisecond and when the clock was set back.
 */
export function newId(
  context: Pick<Context, 'store' | 'ports'>,
  prefix: IdPrefix,
  stream: number,
): string {
  const { clock, random } = context.ports;
  const counters = context.store.table('counters');
  const id = `ulid:${stream}`;
  const last = counters.get(id);
  let time = clock.now();
  let chars: string | undefined;
  if (last?.text !== undefined && last.value >= time) {
    time = last.value;
    chars = increment(last.text);
    if (chars === undefined) time += 1;
  }
  if (chars === undefined) {
    chars = '';
    for (const byte of random.bytes(stream, RANDOM_CHARS)) chars += ALPHABET[byte & 31];
  }
  counters.put({ id, value: time, text: chars });
  return `${prefix}_${timeChars(time)}${chars}`;
}
