import { defaultToleranceS } from '../../webhooks/defaults.ts';
import { type Catalogue, type Make, signature, signed } from './drafting.ts';

const adding = (members: string): Make =>
  signed(({ body }) => ({ body: body.replace(/}$/, `,${members}}`) }));
const withSecret = (secret: string): Make => signed(() => ({ secret }));

/** Deliveries that a sender could send: a verifier that rejects one loses it. */
export const valid: Catalogue = {
  Normal: [['an ordinary delivery', signed(() => ({})), 'verifier']],
  RawBody: [
    ['text that is not ASCII', adding('"note":"Zürich, 東京, 🙂, \u2028, \ufffd"')],
    [
      'JSON in another format',
      signed(({ body }) => ({
        body: JSON.stringify(JSON.parse(body), undefined, 2).replace(
          /\n}$/,
          ',\n  "note" : "\\u00fc \\/", "ratio": 1.50e0\n}',
        ),
      })),
    ],
    [
      'a body that begins and ends with white space',
      signed(({ body }) => ({ body: ` \n${body}\r\n ` })),
    ],
    ['a duplicate key', adding('"a":1,"a":2')],
    ['dots and commas in the body', adding('"a":"1767225600.{},v1,"')],
    ['an integer above 2^53', adding('"a":9007199254740993')],
  ],
  Secret: [
    [
      'a secret of 32 bytes, with padding',
      withSecret(`whsec_${'BwcHBwcH'.repeat(5)}BwcHBwc=`),
      'verifier',
    ],
    ['a secret of 64 bytes', withSecret(`whsec_${'QUJD'.repeat(21)}QQ==`), 'verifier'],
    ['a secret with + and /', withSecret(`whsec_${'+/+/'.repeat(8)}`), 'verifier'],
    ['a secret whose bytes are not UTF-8', withSecret(`whsec_${'/wD+'.repeat(8)}`), 'verifier'],
  ],
  Id: ['a', 'MSG-with_both', 'x'.repeat(255)].map((id) => [
    `an id of ${id.length} characters`,
    signed(() => ({ id })),
    'verifier',
  ]),
  Time: [
    [
      `a delivery signed ${defaultToleranceS - 10} s ago`,
      signed(({ now }) => ({ time: now + 10 - defaultToleranceS })),
    ],
    ['290 s ahead', signed(({ now }) => ({ time: now + 290 })), 'verifier'],
  ],
  Rotation: [
    ['the first of two signatures', signature((own, other) => `${own} ${other}`)],
    ['the second of two signatures', signature((own, other) => `${other} ${own}`)],
    [
      'the last of ten signatures',
      signature((own, other) => `${`${other} `.repeat(9)}${own}`),
      'verifier',
    ],
  ],
  UnknownVersion: [
    ['a signature after one of an unknown version', signature((own) => `v9,unknown ${own}`)],
    ['a signature before one of an unknown version', signature((own) => `${own} v9,unknown`)],
    [
      'a signature after an Ed25519 one',
      signature((own) => `v1a,${'A'.repeat(86)}== ${own}`),
      'verifier',
    ],
  ],
};
