import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer/';

const digests = { sha1, sha256, sha512 };
const bytes = (data) => (typeof data === 'string' ? new TextEncoder().encode(data) : data);

/** The part of `node:crypto` that the tests use, for runtimes without it: a third implementation to compare with. */
export function createHmac(algorithm, key) {
  const state = hmac.create(digests[algorithm], bytes(key));
  const self = {
    update(data) {
      state.update(bytes(data));
      return self;
    },
    digest: (encoding) => Buffer.from(state.digest()).toString(encoding),
  };
  return self;
}
