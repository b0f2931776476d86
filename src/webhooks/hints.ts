// Loaded for the first refusal only: it must stay apart from whatever is loaded before.

/** Every code, with what to look at. */
export const hints = {
  missing_header: 'Needed: webhook-id, webhook-timestamp and a signature header.',
  duplicate_header: 'A header came twice, or the two signature headers differ.',
  malformed_header:
    'webhook-timestamp must be Unix seconds; a signature header has at most 16 entries and 2048 characters.',
  invalid_id: 'webhook-id must match [A-Za-z0-9_-]{1,255}.',
  timestamp_too_old: 'It is older than `tolerance`: a replay, or this clock is ahead.',
  timestamp_in_future: 'It is newer than `tolerance` allows: this clock is behind.',
  no_supported_signature: 'No signature has the form of this scheme. Is `scheme` the right one?',
  signature_mismatch:
    'It was signed with another secret, or the body is not the raw bytes: `diagnose: true` tells which.',
  token_mismatch: 'The token header is absent or holds another token.',
  unsupported_encoding: 'A compressed body cannot be verified: switch compression off.',
  body_already_parsed: 'Pass the raw body, read before any JSON parser.',
  body_too_large: 'It is larger than `maxBodyBytes`.',
  body_not_json: 'It must be a JSON object in UTF-8.',
  payload_invalid: 'These places do not fit the schema of the type.',
};
