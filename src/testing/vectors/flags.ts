/** What each flag of the vectors stands for, and what a verifier that fails there has to change. */
export const vectorFlags: Readonly<Record<string, string>> = {
  Normal:
    'The signed text is <webhook-id>.<webhook-timestamp>.<body>; the key is the decoded base64 after whsec_.',
  RawBody: 'Verify the bytes of the body as received, before anything parses or trims them.',
  ChangedBody: 'Verify the bytes of the body as received, not what a parser makes of them.',
  Secret: 'Decode the base64 after whsec_ with a decoder of bytes: secrets have 24 to 64.',
  Key: 'Only an HMAC-SHA256 with the decoded secret is right.',
  Id: 'An id has 1 to 255 letters, digits, hyphens and underscores.',
  SignedContent: 'Include id and time, as sent, in the signed text.',
  Time: 'Tolerate 300 s in either direction, and no more.',
  Rotation: 'During a rotation a header lists several signatures: one has to match.',
  UnknownVersion: 'Skip signatures of versions that you do not know.',
  Comparison: 'Compare the whole digest, lengths included, in constant time.',
  Header: 'A missing, empty or malformed header must not pass, and another version neither.',
  OddBase64: 'Other spellings of the right digest: compare text, or decode strictly.',
  OddHeader: 'Not what a sender writes. Limit the number of signatures.',
  OddTime: 'Accept digits only as the time, and compare so that NaN fails.',
  OddId: 'Reject ids with a dot: the signed text could be read in two ways.',
  NotUtf8: 'Hash bytes: decoding turns other bytes into U+FFFD, which has the same signature.',
  NotJson: 'Whether the verifier parses is its choice.',
};
