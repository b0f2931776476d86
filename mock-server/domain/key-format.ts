const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARS = 43;
const CHECKSUM_CHARS = 6;
const SHAPE = /^cg_(?:live|test)_[0-9A-Za-z]{49}$/;

const crcTable = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 (IEEE) of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(at)) & 0xff] as number);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Big-endian, zero-padded. */
function base62(value: bigint, width: number): string {
  let text = '';
  for (let left = value; left > 0n; left /= 62n) text = ALPHABET[Number(left % 62n)] + text;
  return text.padStart(width, '0');
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_CHARS);

/** Formats 32 random bytes as `cg_<env>_<43 characters of secret><6 characters of checksum>`. */
export function formatKey(bytes: Uint8Array, environment: 'live' | 'test'): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  const body = `cg_${environment}_${base62(value, SECRET_CHARS)}`;
  return body + checksum(body);
}

/** Checks format and checksum, which detects a mistyped key without a look-up. */
export function isWellFormedKey(key: string): boolean {
  if (!SHAPE.test(key)) return false;
  const body = key.slice(0, -CHECKSUM_CHARS);
  return key.endsWith(checksum(body));
}

/** The part of a key that is safe to show: its prefix and its last 4 characters. */
export function hintOf(key: string): string {
  return `${key.slice(0, 'cg_test_'.length)}…${key.slice(-4)}`;
}
