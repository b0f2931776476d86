import { encoder } from '../../signing/hmac.ts';
import { fromBase64 } from '../../webhooks/diagnose-keys.ts';
import { changeAt, swapCase } from '../tamper.ts';
import type { Draft, Drafting } from './draft.ts';

/** Deliveries that anybody could send: a verifier that accepts one can be fooled. */
export async function forgedVectors(tools: Drafting): Promise<Promise<Draft>[]> {
  const { draft, sign, signed, hmac, now, secret, otherSecret, id, body } = tools;
  const own = await sign();
  const other = await sign({ secret: otherSecret });
  const digest = own.slice(3);
  const hexDigest = Array.from(atob(digest), (char) =>
    char.charCodeAt(0).toString(16).padStart(2, '0'),
  ).join('');
  const key = fromBase64(secret.slice(6));
  const content = `${id}.${now}.${body}`;
  const bodies: [comment: string, body: string][] = [
    ['a changed value', body.replace('900120', '100120')],
    ['a space after the body', `${body} `],
    ['a space before the body', ` ${body}`],
    ['a line break after the body', `${body}\n`],
    ['the same JSON in another format', body.replace(':', ': ')],
    ['a second value for a key', body.replace('}', ',"usage":1}')],
    ['the body cut by one character', body.slice(0, -1)],
    ['an empty body', ''],
    ['another body', '{}'],
  ];
  const digests: [comment: string, digest: string][] = [
    ['the first character of the digest changed', changeAt(digest, 0)],
    ['a character in the middle of the digest changed', changeAt(digest, 21)],
    ['the last character of the digest changed', changeAt(digest, 42)],
    ['an empty digest', ''],
    ['only padding', '='],
    ...[1, 4, 22, 42].map((length): [string, string] => [
      `the digest cut to ${length}`,
      digest.slice(0, length),
    ]),
    ['the last 4 characters of the digest', digest.slice(-4)],
    ['the last 22 characters of the digest', digest.slice(-22)],
    ['more in front of the digest', `AAAA${digest}`],
    ['more after the digest', `${digest.slice(0, -1)}AAAA`],
    ['the digest in the other letter case', swapCase(digest)],
    ['the digest in hex', hexDigest],
    ['base64 of the digest in hex', btoa(hexDigest)],
    ['a digest of zeros', `${'A'.repeat(43)}=`],
    ['a wildcard', '*'],
    ['the word undefined', 'undefined'],
  ];
  const headers: [comment: string, header: string | undefined][] = [
    ['no signature header', undefined],
    ['an empty signature header', ''],
    ['a space', ' '],
    ['only the version', 'v1'],
    ['only the digest', digest],
    ['another version with the right digest', `v2,${digest}`],
    ['v1a with the right digest', `v1a,${digest}`],
    ['V1 in upper case with the right digest', `V1,${digest}`],
    ['an unknown version', 'v2,unknown'],
    ['= in place of the comma', `v1=${digest}`],
    ['two wrong signatures', `${other} ${other}`],
    ['50 wrong signatures', new Array(50).fill(other).join(' ')],
  ];
  const keys: [comment: string, signature: string | Promise<string>][] = [
    ['signed with another secret', other],
    ['signed with the text of the secret', hmac(encoder().encode(secret), content)],
    ['signed with the text after whsec_', hmac(encoder().encode(secret.slice(6)), content)],
    ['signed with 32 zero bytes', hmac(new Uint8Array(32), content)],
    ['SHA-1', hmac(key, content, 'SHA-1')],
    ['SHA-512', hmac(key, content, 'SHA-512')],
  ];
  const contents: [comment: string, content: string][] = [
    ['only the body signed', body],
    ['id and body signed', `${id}.${body}`],
    ['time and body signed', `${now}.${body}`],
    ['time and id exchanged', `${now}.${id}.${body}`],
    ['no dots', `${id}${now}${body}`],
  ];
  const times: [comment: string, time: number][] = [
    ['310 s old', now - 310],
    ['a day old', now - 86_400],
    ['310 s ahead', now + 310],
    ['a day ahead', now + 86_400],
    ['the time 1', 1],
  ];
  return [
    ...bodies.map(([comment, changed]) => draft(comment, 'ChangedBody', own, { body: changed })),
    ...digests.map(([comment, changed]) => draft(comment, 'Comparison', `v1,${changed}`)),
    ...headers.map(([comment, header]) => draft(comment, 'Header', header)),
    ...keys.map(([comment, signature]) => draft(comment, 'Key', signature)),
    ...contents.map(([comment, text]) => draft(comment, 'SignedContent', hmac(key, text))),
    draft('a changed id', 'SignedContent', own, { id: `${id}x` }),
    draft('an id in other letter case', 'SignedContent', own, { id: swapCase(id) }),
    draft('a changed time', 'SignedContent', own, { time: now - 1 }),
    draft('no id', 'Header', own, { id: undefined }),
    draft('an empty id', 'Header', own, { id: '' }),
    draft('no time', 'Header', own, { time: undefined }),
    draft('an empty time', 'Header', own, { time: '' }),
    draft('a time that is a word', 'Header', own, { time: 'now' }),
    ...times.map(([comment, time]) => signed(comment, 'Time', { time })),
  ];
}
