import { misconfigured } from './errors.ts';
import { encoder } from './hmac.ts';
import type { CheckInput } from './scheme.ts';

type Signed = Pick<CheckInput, 'id' | 'timestamp' | 'body'>;

/** A key pair of `generateEd25519Keys`. */
export interface Ed25519Keys {
  /** `whsk_` + base64 of the 32-byte seed and the 32-byte public key: for the sender. */
  readonly privateKey: string;
  /** `whpk_` + base64 of 32 bytes: for receivers. */
  readonly publicKey: string;
}

const maxKeys = 256;
/** PKCS #8 in front of a seed. */
const pkcs8 = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

const decode = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
const encode = (bytes: Iterable<number>) => btoa(String.fromCharCode(...bytes));

function messageOf({ id, timestamp, body }: Signed): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  return message;
}

/** The signature of a delivery. */
export async function signature(key: string, input: Signed): Promise<string> {
  if (!key.startsWith('whsk_'))
    misconfigured(
      'the secret is a public key',
      'Sign with the private key, which starts with whsk_.',
    );
  const bytes = await crypto.subtle.sign('Ed25519', await importKey(key, 'sign'), messageOf(input));
  return `v1a,${encode(new Uint8Array(bytes))}`;
}

/** Whether any of the signatures, each `v1a,` and base64, is one by any of the keys. */
export async function matches(
  keys: readonly string[],
  signatures: readonly string[],
  input: Signed,
): Promise<boolean> {
  const message = messageOf(input);
  for (const key of keys) {
    const publicKey = await importKey(key, 'verify');
    for (const text of signatures)
      if (await crypto.subtle.verify('Ed25519', publicKey, decode(text.slice(4)), message))
        return true;
  }
  return false;
}

/** A new key pair. */
export async function generate(): Promise<Ed25519Keys> {
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const publicKey = await publicKeyOf(seed);
  return {
    privateKey: `whsk_${encode([...seed, ...publicKey])}`,
    publicKey: `whpk_${encode(publicKey)}`,
  };
}

const imported = new Map<string, Promise<CryptoKey>>();

/** Keeps at most 256 keys; when full, all are dropped. */
function importKey(key: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const name = `${usage} ${key}`;
  const known = imported.get(name);
  if (known) return known;
  if (imported.size >= maxKeys) imported.clear();
  const made = readKey(key, usage);
  imported.set(name, made);
  made.catch(() => imported.delete(name));
  return made;
}

async function readKey(key: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const bytes = decode(key.slice(5));
  if (usage === 'sign') return importSeed(bytes.slice(0, 32), false);
  const raw = key.startsWith('whpk_') ? bytes : await publicKeyOf(bytes.slice(0, 32));
  return supported(() => crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']));
}

async function publicKeyOf(seed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', await importSeed(seed, true));
  return decode(x.replace(/-/g, '+').replace(/_/g, '/'));
}

function importSeed(seed: Uint8Array, isExtractable: boolean): Promise<CryptoKey> {
  const bytes = Uint8Array.of(...pkcs8, ...seed);
  return supported(() =>
    crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', isExtractable, ['sign']),
  );
}

async function supported(importIt: () => Promise<CryptoKey>): Promise<CryptoKey> {
  try {
    return await importIt();
  } catch (cause) {
    return misconfigured(
      'the Web Crypto of this runtime has no Ed25519',
      'Use Node 20.19 or later, Deno, Bun, Workers or a current browser, or verify the v1 signature with a whsec_ secret.',
      cause,
    );
  }
}
