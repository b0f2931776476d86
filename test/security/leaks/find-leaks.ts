/** Something that a part of the house wrote, in the pieces that it was written in. */
export type Outputs = Readonly<Record<string, string | readonly string[]>>;

/** What must not be there, by name. */
export type Canaries = Readonly<Record<string, string>>;

/** So many characters in a row of a canary are a leak of it. */
const QUOTED = 16;
/** A secret can be encoded again: base64 in JSON in a line of a log. */
const LAYERS = 3;

/** Each output, canary and encoding of a leak: `stderr: api key (json, base64)`. */
export function findLeaks(outputs: Outputs, canaries: Canaries): string[] {
  const found = Object.entries(outputs).flatMap(([output, written]) => {
    const text = typeof written === 'string' ? written : written.join('');
    return spellingsOf(text).flatMap(({ as, text }) => {
      const lower = text.toLowerCase();
      return Object.entries(canaries)
        .filter(([, canary]) => quotes(lower, canary.toLowerCase()))
        .map(([name]) => [`${output}: ${name}`, as.join(', ') || 'plain'] as const);
    });
  });
  // The first spelling is the simplest.
  return [...new Map(found.toReversed())].map(([what, as]) => `${what} (${as})`).toSorted();
}

/** Both in lower case. */
function quotes(text: string, canary: string): boolean {
  // So many characters in a row hold one of these blocks whole, and most texts hold none.
  const half = QUOTED / 2;
  let mayQuote = false;
  for (let at = 0; at + half <= canary.length && !mayQuote; at += half)
    mayQuote = text.includes(canary.slice(at, at + half));
  for (let at = 0; mayQuote && at + QUOTED <= canary.length; at += 1) {
    if (text.includes(canary.slice(at, at + QUOTED))) return true;
  }
  return false;
}

interface Spelling {
  readonly as: readonly string[];
  readonly text: string;
}

function spellingsOf(text: string): Spelling[] {
  let layer: Spelling[] = [{ as: [], text }];
  const all = new Map([[text, layer[0] as Spelling]]);
  for (let depth = 0; depth < LAYERS; depth += 1) {
    layer = layer.flatMap(({ as, text }) =>
      Object.entries(decoders).flatMap(([name, decode]) => {
        const decoded = decode(text);
        if (decoded.length < QUOTED || all.has(decoded)) return [];
        const spelling = { as: [...as, name], text: decoded };
        all.set(decoded, spelling);
        return [spelling];
      }),
    );
  }
  return [...all.values()];
}

const character = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

/** Only what is text: of other bytes there are too many. */
const readable = (bytes: string) => (bytes.match(/[ -~]{12,}/g) ?? []).join('\n');

const decoders: Readonly<Record<string, (text: string) => string>> = {
  /** Lines, and the events of a stream, as one. */
  split: (text) => text.replace(/\s*\n(?:data: ?|id: .*|event: .*|\s)*/g, ''),
  json: (text) =>
    text.replace(/\\(?:u([\da-f]{4})|(["\\/]))/gi, (_, hex, letter) => letter ?? character(_, hex)),
  pointer: (text) => text.replaceAll('~1', '/'),
  url: (text) => text.replace(/%([\da-f]{2})/gi, character),
  base64: (text) => {
    const words = text.match(/[\w+/-]{16,}/g) ?? [];
    return [0, 1, 2, 3]
      .map((skipped) => words.map((word) => fromBase64(word.slice(skipped))).join('\n'))
      .map(readable)
      .join('\n');
  },
  hex: (text) => {
    const words = text.match(/[\da-f]{24,}/gi) ?? [];
    return [0, 1]
      .map((skipped) => words.map((word) => fromHex(word.slice(skipped))).join('\n'))
      .map(readable)
      .join('\n');
  },
};

const fromBase64 = (word: string) => Buffer.from(word, 'base64').toString('latin1');
const fromHex = (word: string) => Buffer.from(word, 'hex').toString('latin1');
