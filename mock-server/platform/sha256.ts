const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

let roundConstants: Uint32Array | undefined;

/** The fractional parts of the cube roots of the first 64 primes, by their definition (FIPS 180-4, 4.2.2). */
function constants(): Uint32Array {
  if (roundConstants) return roundConstants;
  const found = new Uint32Array(64);
  let count = 0;
  for (let candidate = 2; count < 64; candidate += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) {
      if (candidate % divisor === 0) prime = false;
    }
    if (!prime) continue;
    found[count] = cubeRootFraction(BigInt(candidate));
    count += 1;
  }
  roundConstants = found;
  return found;
}

/** `floor(2^32 × cbrt(n)) mod 2^32`, in integers: floating point would lose the last bits. */
function cubeRootFraction(n: bigint): number {
  const target = n << 96n;
  let low = 0n;
  let high = 1n << 36n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle * middle * middle <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/**
 * SHA-256 as lower-case hex, for platforms whose only digest is asynchronous.
 *
 * Not constant-time and many times slower than a native one.
 */
export function sha256Hex(data: Uint8Array): string {
  const k = constants();
  const state = Uint32Array.from(initial);
  const words = new Uint32Array(64);
  const padded = new Uint8Array((((data.length + 8) >> 6) + 1) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(data.length / 0x2000_0000));
  view.setUint32(padded.length - 4, data.length << 3);

  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(offset + at * 4);
    for (let at = 16; at < 64; at += 1) {
      const w15 = words[at - 15] as number;
      const w2 = words[at - 2] as number;
      const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
      const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
      words[at] = (words[at - 16] as number) + s0 + (words[at - 7] as number) + s1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let at = 0; at < 64; at += 1) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (k[at] as number) + (words[at] as number)) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) {
      state[at] = (state[at] as number) + word;
    }
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}
