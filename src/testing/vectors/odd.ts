import { encoder } from '../../signing/hmac.ts';
import type { Draft, Drafting } from './draft.ts';

/** Deliveries that only the owner of the secret could make, or that change nothing: strict verifiers reject them. */
export async function oddVectors(tools: Drafting): Promise<Promise<Draft>[]> {
  const { draft, sign, signed, now, otherSecret } = tools;
  const own = await sign();
  const other = await sign({ secret: otherSecret });
  const last = own.at(-2) ?? '';
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const spelling = alphabet[alphabet.indexOf(last) + 1] ?? '';
  let [id, plus] = [tools.id, own];
  // Only a digest with + or / differs in base64url.
  for (let attempt = 1; !/[+/]/.test(plus); attempt++) {
    id = `msg_${attempt}`;
    plus = await sign({ id });
  }
  const lossy = '{"note":"\ufffd"}';
  const bytes = [...encoder().encode(lossy)];
  bytes.splice(bytes.indexOf(0xef), 3, 0xff);
  const oldBody = `${now}.{}`;
  const times = ['NaN', `${now}000`, `${now}.5`, `+${now}`, `0${now}`, '1e400'];
  return [
    draft('no padding', 'OddBase64', own.slice(0, -1)),
    draft('unused bits of the last character set', 'OddBase64', `${own.slice(0, -2)}${spelling}=`),
    draft('text after the padding', 'OddBase64', `${own}AAAA`),
    draft('base64url', 'OddBase64', plus.replace(/\+/g, '-').replace(/\//g, '_'), { id }),
    draft('a third part after another comma', 'OddHeader', `${own},x`),
    draft('spaces around the signature', 'OddHeader', ` ${own} `),
    draft('a comma between two signatures', 'OddHeader', `${other}, ${own}`),
    draft(
      '50 wrong signatures before the right one',
      'OddHeader',
      `${`${other} `.repeat(50)}${own}`,
    ),
    draft('text after the time', 'OddTime', own, { time: `${now}x` }),
    draft('a space before the time', 'OddTime', own, { time: ` ${now}` }),
    ...times.map((time) =>
      signed(`the time ${time.replace(String(now), 'T')}, signed so`, 'OddTime', { time }),
    ),
    signed('an id with a dot', 'OddId', { id: 'msg.1' }),
    draft(
      'an old message split at other dots',
      'OddId',
      sign({ id: 'old', time: 1, body: oldBody }),
      { id: 'old.1', body: '{}' },
    ),
    draft('a byte that is not UTF-8, where U+FFFD was signed', 'NotUtf8', sign({ body: lossy }), {
      body: Uint8Array.from(bytes),
    }),
    signed('a byte order mark, signed so', 'NotJson', { body: '\ufeff{}' }),
    signed('a body that is not JSON, signed so', 'NotJson', { body: '{' }),
    signed('an empty body, signed so', 'NotJson', { body: '' }),
  ];
}
