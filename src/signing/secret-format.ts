// No platform is needed here: the domain of the reference server checks secrets by the same rule.

/** What every signing secret starts with. */
export const secretPrefix = 'whsec_';
/** How many bytes a signing secret encodes. */
export const secretBytes = { least: 24, most: 64 };
/** The format of a signing secret, for messages. */
export const secretFormat = `${secretPrefix} followed by ${secretBytes.least} to ${secretBytes.most} bytes in padded standard base64`;

// The last digit before the padding has no spare bits: each secret has one spelling.
const canonical =
  /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/** The number of bytes that a secret encodes. `undefined` unless it is `whsec_` and canonical, padded base64. */
export function countSecretBytes(secret: string): number | undefined {
  if (!canonical.test(secret)) return undefined;
  const digits = secret.slice(secretPrefix.length).replace(/={1,2}$/, '');
  return Math.floor((digits.length * 6) / 8);
}

/** Whether every receiver can decode the secret: canonical base64 of 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  const count = countSecretBytes(text);
  return count !== undefined && count >= secretBytes.least && count <= secretBytes.most;
}
