import { encoder, sha256Hex } from '../../signing/hmac.ts';

/** The key itself if it fits, otherwise a digest of it: the same for every copy of a delivery. */
export async function jobId(key: string, fits: RegExp): Promise<string> {
  return fits.test(key) ? key : `sha256-${await sha256Hex(encoder.encode(key))}`;
}

/** A UUID made from a key (version 8, RFC 9562), for a queue that accepts no other id. */
export async function jobUuid(key: string): Promise<string> {
  const hex = await sha256Hex(encoder.encode(key));
  const variant = ((Number.parseInt(hex.charAt(16), 16) % 4) + 8).toString(16);
  const third = `8${hex.slice(13, 16)}`;
  const fourth = variant + hex.slice(17, 20);
  return [hex.slice(0, 8), hex.slice(8, 12), third, fourth, hex.slice(20, 32)].join('-');
}
