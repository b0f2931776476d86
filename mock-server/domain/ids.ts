import type { Ports, Store } from './ports.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARS = 16;
const TIME_CHARS = 10;

export type IdPrefix = 'gen' | 'key' | 'wh' | 'msg' | 'dlv' | 'inv' | 'org' | 'prj' | 'usr' | 'req';

/** Advances a named counter, kept in the store so that it survives a restart. The first number is 1. */
export function nextNumber(store: Store, counter: string): number {
  const counters = store.table('counters');
  const value = (counters.get(counter)?.value ?? 0) + 1;
  counters.put({ id: counter, value });
  return value;
}

/** An id under which rows sort in the order in which they were added: `evt_000000000001`. */
export function newSerialId(store: Store, prefix: string, counter: string): string {
  return `${prefix}_${String(nextNumber(store, counter)).padStart(12, '0')}`;
}

/**
 * A lower-case ULID with a prefix. Within one random stream, ids sort in the order of their creation, even within a
 * millisecond and after the clock was set back.
 */
export function newId(
  { store, ports }: { readonly store: Store; readonly ports: Ports },
  prefix: IdPrefix,
  rngStream: number,
): string {
  const { clock, random } = ports;
  const counters = store.table('counters');
  const id = `ulid:${rngStream}`;
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
    for (const byte of random.bytes(rngStream, RANDOM_CHARS)) chars += ALPHABET[byte & 31];
  }
  counters.put({ id, value: time, text: chars });
  return `${prefix}_${timeChars(time)}${chars}`;
}

let lastTime = { ms: 0, chars: '0'.repeat(TIME_CHARS) };

/** Remembers the last result, because many ids share a millisecond. */
function timeChars(ms: number): string {
  if (lastTime.ms === ms) return lastTime.chars;
  let chars = '';
  for (let left = ms; chars.length < TIME_CHARS; left = Math.floor(left / 32)) {
    chars = (ALPHABET[left % 32] as string) + chars;
  }
  lastTime = { ms, chars };
  return chars;
}

/** The next string of the same length; undefined after the last. */
function increment(chars: string): string | undefined {
  let at = chars.length - 1;
  while (at >= 0 && chars[at] === 'z') at -= 1;
  if (at < 0) return undefined;
  const next = ALPHABET[ALPHABET.indexOf(chars[at] as string) + 1] as string;
  return chars.slice(0, at) + next + '0'.repeat(chars.length - at - 1);
}
