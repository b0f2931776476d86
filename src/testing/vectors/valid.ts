import type { Draft, Drafting } from './draft.ts';

/** Deliveries that a sender could send: a verifier that rejects one loses it. */
export async function validVectors(tools: Drafting): Promise<Promise<Draft>[]> {
  const { draft, sign, signed, now, otherSecret } = tools;
  const bodies: [comment: string, body: string][] = [
    ['an empty object', '{}'],
    ['text that is not ASCII, U+2028 and U+FFFD', '{"note":"Zürich, 東京, 🙂, \u2028, \ufffd"}'],
    [
      'JSON over several lines, with numbers and escapes that change when it is serialized again',
      '{\n  "a" : 1.50e0,\n  "b": "\\u00fc\\/"\n}',
    ],
    ['a duplicate key', '{"a":1,"a":2}'],
    ['white space around the JSON', ' \n{"a":1}\r\n '],
    ['dots and commas in the body', '{"a":"1767225600.{},v1,"}'],
    ['an integer above 2^53', '{"a":9007199254740993}'],
    ['4 kB', `{"a":"${'x'.repeat(4096)}"}`],
  ];
  const secrets: [comment: string, secret: string][] = [
    ['a secret of 24 bytes', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['a secret of 32 bytes, with padding', 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc='],
    ['a secret of 64 bytes', `whsec_${'QUJD'.repeat(21)}QQ==`],
    ['a secret with + and /', `whsec_${'+/+/'.repeat(8)}`],
    ['a secret whose bytes are not UTF-8', `whsec_${'/wD+'.repeat(8)}`],
  ];
  const ids = ['a', 'MSG-with_both', 'x'.repeat(255)];
  const own = await sign();
  const other = await sign({ secret: otherSecret });
  return [
    draft('an ordinary delivery', 'Normal', own),
    ...bodies.map(([comment, body]) => signed(comment, 'RawBody', { body })),
    ...secrets.map(([comment, secret]) => signed(comment, 'Secret', { secret })),
    ...ids.map((id) => signed(`an id of ${id.length} characters`, 'Id', { id })),
    signed('290 s old', 'Time', { time: now - 290 }),
    signed('290 s ahead', 'Time', { time: now + 290 }),
    draft('two signatures, the first one right', 'Rotation', `${own} ${other}`),
    draft('two signatures, the second one right', 'Rotation', `${other} ${own}`),
    draft('ten signatures, the last one right', 'Rotation', `${`${other} `.repeat(9)}${own}`),
    draft('an unknown version first', 'UnknownVersion', `v2,unknown ${own}`),
    draft('an unknown version last', 'UnknownVersion', `${own} v2,unknown`),
    draft('an Ed25519 signature first', 'UnknownVersion', `v1a,${'A'.repeat(86)}== ${own}`),
  ];
}
