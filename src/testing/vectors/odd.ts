import { encoder } from '../../signing/hmac.ts';
import { type Catalogue, digest, field, type Make, signature, signed } from './drafting.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The same bytes, spelled with unused bits that are not 0. */
const unusedBits = (own: string): string => {
  const last = own.at(-2) ?? '';
  return `${own.slice(0, -2)}${alphabet[alphabet.indexOf(last) + 1] ?? ''}=`;
};
/** Only a digest with + or / differs in base64url. */
const base64url: Make = async (tools) => {
  for (let attempt = 1; ; attempt++) {
    const draft = await tools.signed({ id: `${tools.id}${attempt}` });
    const own = tools.signatureOf(draft);
    if (!/[+/]/.test(own)) continue;
    return tools.withSignature(draft, own.replace(/\+/g, '-').replace(/\//g, '_'));
  }
};
/** The old message had the id `old`, the time 1 and a body that begins with a fresh time. */
const splitElsewhere: Make = async (tools) => {
  const { headers } = await tools.signed({ id: 'old', time: 1, body: `${tools.now}.{}` });
  const fields = { 'webhook-id': 'old.1', 'webhook-timestamp': String(tools.now) };
  return { headers: { ...headers, ...fields }, body: encoder().encode('{}') };
};
const notUtf8: Make = async (tools) => {
  const { headers, body } = await tools.signed({
    body: tools.body.replace(/}$/, ',"note":"\ufffd"}'),
  });
  const bytes = [...body];
  bytes.splice(bytes.indexOf(0xef), 3, 0xff);
  return { headers, body: Uint8Array.from(bytes) };
};
/** Deliveries that only the owner of the secret could make, or that change nothing: strict verifiers reject them. */
export const odd: Catalogue = {
  OddBase64: [
    ['no padding', digest((own) => own.replace(/={1,2}$/, ''))],
    ['text after the padding', digest((own) => `${own}AAAA`)],
    ['unused bits of the last character set', digest(unusedBits), 'standard'],
    ['base64url', base64url, 'standard'],
  ],
  OddHeader: [
    ['a third part after another comma', signature((own) => `${own},x`), 'verifier'],
    ['spaces around the signature', signature((own) => ` ${own} `), 'verifier'],
    ['a comma between two signatures', signature((own, other) => `${other}, ${own}`), 'verifier'],
    [
      '50 wrong signatures before the right one',
      signature((own, other) => `${`${other} `.repeat(50)}${own}`),
      'verifier',
    ],
  ],
  OddTime: [
    ['text after the time', field('time', (sent) => `${sent}x`)],
    ['a space before the time', field('time', (sent) => ` ${sent}`), 'verifier'],
    ['the time NaN, signed so', signed(() => ({ time: 'NaN' })), 'verifier'],
    ['the time T000, signed so', signed(({ now }) => ({ time: `${now}000` })), 'verifier'],
    ['the time T.5, signed so', signed(({ now }) => ({ time: `${now}.5` })), 'verifier'],
    ['the time +T, signed so', signed(({ now }) => ({ time: `+${now}` })), 'verifier'],
    ['the time 0T, signed so', signed(({ now }) => ({ time: `0${now}` })), 'verifier'],
    ['the time 1e400, signed so', signed(() => ({ time: '1e400' })), 'verifier'],
  ],
  OddId: [
    ['an old message split at other dots', splitElsewhere],
    ['an id with a dot', signed(() => ({ id: 'msg.1' })), 'verifier'],
  ],
  NotUtf8: [['a byte that is not UTF-8, where U+FFFD was signed', notUtf8]],
  NotJson: [
    ['a body that is not JSON, signed so', signed(() => ({ body: '{"event":' }))],
    ['a byte order mark, signed so', signed(() => ({ body: '\ufeff{}' })), 'verifier'],
    ['an empty body, signed so', signed(() => ({ body: '' })), 'verifier'],
  ],
};
