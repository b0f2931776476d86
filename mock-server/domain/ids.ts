import type { Ports, Randomness, Store } from './ports.ts';

const WORDS_BEFORE_USE = 15;

// Organizations count their streams up from 1. Requests and faults have their own streams, so that one more of either
// does not change any record's id.
const FAULT_STREAMS = 0x2000_0000;
const REQUEST_STREAMS = 0x4000_0000;

/** The stream that decides whether a fault with a probability applies to an organization. */
export const faultStream = (rngStream: number): number => FAULT_STREAMS + rngStream;

/** The counters in which the store keeps the positions of a stream. */
const POSITION = 'random';
const LAST_ID = 'ulid';

/** Small fast counting generator (sfc32). Its whole 128-bit state is the key: each key starts its own sequence. */
export function randomWords(a: number, b: number, c: number, d: number): () => number {
  let [w, x, y, z] = [a | 0, b | 0, c | 0, d | 0];
  const next = () => {
    const sum = (((w + x) | 0) + z) | 0;
    z = (z + 1) | 0;
    w = x ^ (x >>> 9);
    x = (y + (y << 3)) | 0;
    y = (((y << 21) | (y >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < WORDS_BEFORE_USE; round += 1) next();
  return next;
}

/** FNV-1a: the same text gives the same number. */
export function hash(text: string, basis = 0x811c9dc5): number {
  let value = basis;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value;
}

function toBytes(next: () => number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 4) {
    const word = next();
    for (let byte = 0; byte < 4 && at + byte < length; byte += 1) {
      bytes[at + byte] = word >>> (8 * byte);
    }
  }
  return bytes;
}

/** Reproducible. Each stream's position is in the store, so restoring a snapshot rewinds it. */
export function seededRandom(store: Store, seed: number): Randomness {
  const low = seed | 0;
  const high = Math.floor(seed / 0x1_0000_0000) | 0;
  const counters = store.table('counters');

  function draw(rngStream: number): () => number {
    const id = `${POSITION}:${rngStream}`;
    const value = (counters.get(id)?.value ?? 0) + 1;
    counters.put({ id, value });
    return randomWords(low, high, rngStream, value);
  }

  return {
    bytes: (rngStream, length) => toBytes(draw(rngStream), length),
    fraction: (rngStream) => draw(rngStream)() / 0x1_0000_0000,
    fractionFor: (rngStream, label) =>
      randomWords(low ^ hash(label), high ^ 0x5bd1e995, ~rngStream, hash(label, 0x2545f491))() /
      0x1_0000_0000,
  };
}

/** Not reproducible; as good as the platform's random source. */
export function platformRandom(fill: (bytes: Uint8Array) => void): Randomness {
  const bytes = (length: number) => {
    const filled = new Uint8Array(length);
    fill(filled);
    return filled;
  };
  const fraction = () => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes(4);
    return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 0x1_0000_0000;
  };
  return { bytes: (_, length) => bytes(length), fraction, fractionFor: fraction };
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARS = 16;
const TIME_CHARS = 10;

export type IdPrefix = 'gen' | 'key' | 'wh' | 'msg' | 'dlv' | 'inv' | 'org' | 'prj' | 'usr';

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

/** The last id of a random stream: its time, and its random part. */
export interface LastId {
  readonly value: number;
  readonly text?: string;
}

/**
 * A lower-case ULID with a prefix. Within one random stream, ids sort in the order of their creation, even within a
 * millisecond and after the clock was set back. The random part is drawn for the first id and counted up for the others:
 * if it were drawn for each millisecond, the speed of the machine would decide what a seed makes.
 */
export function newId(
  { store, ports }: { readonly store: Store; readonly ports: Ports },
  prefix: IdPrefix,
  rngStream: number,
): string {
  const counters = store.table('counters');
  const id = `${LAST_ID}:${rngStream}`;
  const { value, text } = idAfter(counters.get(id), ports, rngStream);
  counters.put({ id, value, text });
  return `${prefix}_${timeChars(value)}${text}`;
}

/** The same for a request. What it counts is no state: after a restart, another random part is drawn. */
export function newRequestId(
  { ports, requestIds }: { readonly ports: Ports; readonly requestIds: Map<number, LastId> },
  rngStream: number,
): string {
  const last = idAfter(requestIds.get(rngStream), ports, REQUEST_STREAMS + rngStream);
  requestIds.set(rngStream, last);
  return `req_${timeChars(last.value)}${last.text}`;
}

function idAfter(
  last: LastId | undefined,
  { clock, random }: Ports,
  rngStream: number,
): Required<LastId> {
  const now = clock.now();
  if (last?.text === undefined) return { value: now, text: randomChars(random, rngStream) };
  const text = increment(last.text);
  const value = Math.max(now, last.value);
  if (text !== undefined) return { value, text };
  // After the last string, the random part starts over and a later time keeps the order.
  return { value: Math.max(value, last.value + 1), text: randomChars(random, rngStream) };
}

function randomChars(random: Randomness, rngStream: number): string {
  let chars = '';
  for (const byte of random.bytes(rngStream, RANDOM_CHARS)) chars += ALPHABET[byte & 31];
  return chars;
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

/** The part of an id that does not depend on the clock. */
export const randomPartOfId = (id: string): string => id.slice(-RANDOM_CHARS);

/** When an id of `newId` was made, in ms since the Unix epoch. */
export function timeOfId(id: string): number {
  const start = id.indexOf('_') + 1;
  let ms = 0;
  for (const char of id.slice(start, start + TIME_CHARS)) ms = ms * 32 + ALPHABET.indexOf(char);
  return ms;
}

/** The next string of the same length; undefined after the last. */
function increment(chars: string): string | undefined {
  let at = chars.length - 1;
  while (at >= 0 && chars[at] === 'z') at -= 1;
  if (at < 0) return undefined;
  const next = ALPHABET[ALPHABET.indexOf(chars[at] as string) + 1] as string;
  return chars.slice(0, at) + next + '0'.repeat(chars.length - at - 1);
}
