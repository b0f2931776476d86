import { encoder, type HmacAlgorithm, toHex } from '../../signing/hmac.ts';
import { fromBase64 } from '../../webhooks/diagnose-keys.ts';
import { changeAt, earlier, swapCase } from '../tamper.ts';
import {
  after,
  type Catalogue,
  changed,
  type Drafting,
  digest,
  field,
  hmac,
  type Make,
  signature,
  signed,
} from './drafting.ts';

const body = (change: (body: string) => string): Make =>
  after((_, tools) => ({ body: encoder().encode(change(tools.body)) }));
const noPadding = (own: string) => own.replace(/={1,2}$/, '');
const hexOf = (own: string) => toHex(fromBase64(own));
const keyed = (keyOf: (secret: string) => Uint8Array | 'decoded', hash?: HmacAlgorithm): Make =>
  signature((_own, _other, tools) => hmac(keyOf(tools.secret), contentOf(tools), tools, hash));
const contentOf = ({ id, now, body: text }: Drafting) => `${id}.${now}.${text}`;
const content = (of: (tools: Drafting) => string): Make =>
  signature((_own, _other, tools) => hmac('decoded', of(tools), tools));

export const wrongInTheMiddle = digest((own) => changeAt(own, 21));

/** Deliveries that anybody could send: who accepts one can be fooled. */
export const forged: Catalogue = {
  ChangedBody: [
    ['a changed value', body((text) => text.replace(/\d/, (one) => String(9 - Number(one))))],
    ['a space after the body', body((text) => `${text} `)],
    ['a space before the body', body((text) => ` ${text}`)],
    ['a line break after the body', body((text) => `${text}\n`)],
    ['the same JSON in another format', body((text) => text.replace(':', ': '))],
    ['a second value for a key', body((text) => text.replace(/}$/, ',"usage":1}'))],
    ['the body cut by one character', body((text) => text.slice(0, -1))],
    ['an empty body', body(() => '')],
    ['another body', body(() => '{}')],
  ],
  Comparison: [
    ['the first character of the digest changed', digest((own) => changeAt(own, 0))],
    ['a character in the middle of the digest changed', wrongInTheMiddle],
    ['the last character of the digest changed', digest((own) => changeAt(own, -1))],
    ['an empty digest', changed((prefix) => prefix)],
    ['only the version', changed((prefix) => prefix.replace(/\W$/, ''))],
    ['only padding', changed((prefix) => `${prefix}=`)],
    ...[1, 4, 22, 42].map((length): readonly [string, Make] => [
      `the digest cut to ${length}`,
      digest((own) => own.slice(0, Math.min(length, own.length - 2))),
    ]),
    ['the last 4 characters of the digest', digest((own) => own.slice(-4))],
    [
      'the last 22 characters of the digest',
      digest((own) => own.slice(-Math.min(22, own.length - 2))),
    ],
    ['more in front of the digest', digest((own) => `AAAA${own}`)],
    ['more after the digest', digest((own) => `${noPadding(own)}AAAA`)],
    ['the digest in hex', digest(hexOf), 'standard'],
    ['base64 of the digest in hex', digest((own) => btoa(hexOf(own))), 'standard'],
    ['a digest of zeros', digest(() => `${'A'.repeat(43)}=`), 'standard'],
    ['a wildcard', digest(() => '*'), 'standard'],
    ['the word undefined', digest(() => 'undefined'), 'standard'],
  ],
  OtherCase: [['the digest in the other letter case', digest(swapCase)]],
  OtherVersion: [
    ['an unknown version', signature(() => 'v9,unknown')],
    ['a word', signature(() => 'unknown')],
    ['another version with the right digest', changed((_, own) => `v2,${own}`)],
    [
      'another text before the comma',
      changed((prefix, own) => `${prefix.replace(',', 'x')},${own}`),
    ],
    ['only the digest', changed((_, own) => own)],
    ['v1a with the right digest', changed((_, own) => `v1a,${own}`), 'standard'],
    ['V1 in upper case with the right digest', changed((_, own) => `V1,${own}`), 'standard'],
    ['= in place of the comma', changed((_, own) => `v1=${own}`), 'standard'],
  ],
  Key: [
    ['signed with another secret', signature((_, other) => other)],
    ['signed with the text of the secret', keyed((text) => encoder().encode(text)), 'standard'],
    [
      'signed with the text after whsec_',
      keyed((text) => encoder().encode(text.slice(6))),
      'standard',
    ],
    ['signed with 32 zero bytes', keyed(() => new Uint8Array(32)), 'standard'],
    ['SHA-1', keyed(() => 'decoded', 'sha1'), 'standard'],
    ['SHA-512', keyed(() => 'decoded', 'sha512'), 'standard'],
    ['two wrong signatures', signature((_, other) => `${other} ${other}`), 'standard'],
  ],
  SignedContent: [
    ['only the body signed', content((tools) => tools.body), 'standard'],
    ['id and body signed', content((tools) => `${tools.id}.${tools.body}`), 'standard'],
    ['time and body signed', content((tools) => `${tools.now}.${tools.body}`), 'standard'],
    [
      'time and id exchanged',
      content(({ id, now, body: text }) => `${now}.${id}.${text}`),
      'standard',
    ],
    ['no dots', content(({ id, now, body: text }) => `${id}${now}${text}`), 'standard'],
  ],
  Header: [
    ['no signature header', async (tools) => tools.withSignature(await tools.signed(), undefined)],
    ['an empty signature header', signature(() => '')],
    ['a space', signature(() => ' '), 'verifier'],
    [
      '300 wrong signatures',
      signature(() => new Array(300).fill(`v1,${'A'.repeat(43)}=`).join(' ')),
    ],
  ],
  ChangedField: [
    ['a changed id', field('id', (id) => `${id}x`), 'id'],
    ['an id in other letter case', field('id', swapCase), 'id'],
    ['a changed time', field('time', earlier), 'signed time'],
  ],
  MissingId: [
    ['no id', field('id', () => undefined)],
    ['an empty id', field('id', () => '')],
  ],
  MissingTime: [
    ['no time', field('time', () => undefined)],
    ['an empty time', field('time', () => '')],
    ['a time that is a word', field('time', () => 'now')],
  ],
  Stale: [
    ['310 s old', signed(({ now }) => ({ time: now - 310 }))],
    ['a day old', signed(({ now }) => ({ time: now - 86_400 }))],
    ['the time 1', signed(() => ({ time: 1 })), 'standard'],
  ],
  Early: [
    ['310 s ahead', signed(({ now }) => ({ time: now + 310 }))],
    ['a day ahead', signed(({ now }) => ({ time: now + 86_400 }))],
  ],
};
