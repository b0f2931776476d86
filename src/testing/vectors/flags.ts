import { defaultToleranceS } from '../../webhooks/defaults.ts';

/** What the scheme must sign or send, so that a delivery makes sense, and why one is not sent without it. */
export const needs = {
  body: 'this scheme signs no body',
  id: 'this scheme signs no id',
  time: 'this scheme sends no time',
  'signed time': 'this scheme signs no time',
  'id or time': 'this scheme signs neither id nor time',
  standard: 'it is about the format of Standard Webhooks',
} as const;
export type Need = keyof typeof needs;

export interface FlagFacts {
  /** What a verifier that fails there has to change. */
  readonly advice: string;
  /** What the audit of a receiver calls the deliveries that have to be rejected. */
  readonly title?: string;
  readonly needs?: Need;
}

const rawBody = 'Verify the bytes of the body as received, before anything parses or trims them.';
const signedFields = 'The signature covers id and time, as sent: include them when you verify.';

export const flags = {
  Normal: {
    advice:
      'The signed text is <webhook-id>.<webhook-timestamp>.<body>; the key is the decoded base64 after whsec_.',
  },
  RawBody: { advice: rawBody },
  Secret: {
    advice: 'Decode the base64 after whsec_ with a decoder of bytes: secrets have 24 to 64.',
  },
  Id: { advice: 'An id has 1 to 255 letters, digits, hyphens and underscores.' },
  Time: {
    advice: `Clocks differ and networks are slow: tolerate ${defaultToleranceS} s in either direction.`,
    needs: 'time',
  },
  Rotation: {
    advice:
      'During a rotation every delivery has several signatures: accept it if any of them is right.',
    needs: 'standard',
  },
  UnknownVersion: {
    advice:
      'Skip signatures of versions that you do not know: another scheme can sign alongside this one.',
    needs: 'standard',
  },
  ChangedBody: { title: 'a changed body', advice: rawBody, needs: 'body' },
  Comparison: {
    title: 'another digest, or a part of it',
    advice: 'Compare the whole digest, lengths included, in constant time.',
  },
  OtherCase: {
    title: 'a signature in other letter case',
    advice: 'Base64 distinguishes upper and lower case: compare the bytes exactly.',
    needs: 'standard',
  },
  OtherVersion: {
    title: 'a signature of another version',
    advice: 'Only the version that you verify with counts: compare the text before the comma, too.',
    needs: 'standard',
  },
  Key: {
    title: 'a signature by another secret or hash',
    advice: 'Only an HMAC-SHA256 with the decoded secret is right.',
  },
  SignedContent: {
    title: 'a signature of something else',
    advice: signedFields,
    needs: 'standard',
  },
  Header: {
    title: 'a missing, empty or endless signature',
    advice: 'A missing or empty header must not pass. Limit its length before you hash.',
  },
  ChangedField: { title: 'a changed id or time', advice: signedFields, needs: 'id or time' },
  MissingId: {
    title: 'a delivery without id',
    advice: 'Without an id, a replay cannot be recognized.',
    needs: 'id',
  },
  MissingTime: {
    title: 'a delivery without time',
    advice: 'Without a time, a replay cannot be recognized.',
    needs: 'signed time',
  },
  Stale: {
    title: 'a stale delivery',
    advice: `Reject deliveries older than ${defaultToleranceS} s.`,
    needs: 'time',
  },
  Early: {
    title: 'a delivery from the future',
    advice: `Reject deliveries more than ${defaultToleranceS} s ahead, too.`,
    needs: 'time',
  },
  OddBase64: {
    title: 'a digest without its padding, or spelled otherwise',
    advice: 'Compare the text of the digest, or decode it strictly.',
    needs: 'standard',
  },
  OddHeader: { advice: 'Not what a sender writes. Limit the number of signatures.' },
  OddTime: {
    title: 'a time that is not a number',
    advice: 'Accept digits only as the time, and compare so that NaN fails.',
    needs: 'time',
  },
  OddId: {
    title: 'an old message split at other dots',
    advice: 'Reject ids with a dot: the signed text could be read in two ways.',
    needs: 'standard',
  },
  NotUtf8: {
    title: 'bytes that are not UTF-8',
    advice: 'Hash bytes: decoding turns other bytes into U+FFFD, which has the same signature.',
    needs: 'body',
  },
  NotJson: {
    title: 'a body that is not JSON',
    advice: 'Parse after verifying the signature, and catch the error.',
  },
} as const satisfies Record<string, FlagFacts>;

export type Flag = keyof typeof flags;

export const factsOf = (flag: Flag): FlagFacts => flags[flag];
