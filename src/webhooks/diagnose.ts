import { type HmacAlgorithm, prepareHmac, toHex } from '../signing/hmac.ts';
import type { CheckInput } from '../signing/standard-scheme.ts';
import type { Settings } from './defaults.ts';
import { type BodyVariant, bodyVariants, damageOf } from './diagnose-body.ts';
import { configuredKeys, environmentKeys, fromBase64, type KeyVariant } from './diagnose-keys.ts';

interface ContentVariant {
  readonly expected: boolean;
  readonly finding: string;
  readonly head: string;
  readonly algorithm: HmacAlgorithm;
}

/** Larger bodies are not diagnosed: a diagnosis hashes the body up to a few hundred times. */
const maxBytes = 65_536;

/**
 * Finds the usual mistake that explains a signature mismatch, as text for the log. It names causes, variables
 * and lengths, never a secret, signature or body.
 */
export async function diagnose(settings: Settings, delivery: CheckInput): Promise<string> {
  const size = delivery.body.length;
  const cause =
    size > maxBytes
      ? (broken(delivery.body) ?? `not diagnosed, because the body is over ${maxBytes} bytes.`)
      : await findCause(settings, delivery);
  return `Failed to verify the webhook signature (${settings.scheme.name} scheme, ${size} bytes): ${cause} See docs/signature-does-not-verify.md.`;
}

async function findCause(settings: Settings, delivery: CheckInput): Promise<string> {
  const { id, timestamp, body, signature } = delivery;
  const given = givenDigests(signature);
  if (given.size === 0) return 'the signature header contains no digest [other_scheme].';
  const configured = configuredKeys(settings.secrets);
  const keys = [...configured, ...environmentKeys(settings.secrets)];
  const contents = contentVariants(settings.scheme.signsEnvelope, id, timestamp);
  const expected = contents.filter((content) => content.expected);
  const asReceived: BodyVariant = { bytes: body };
  const unchangedKeys = configured.filter(({ finding }) => !finding);
  return (
    (await findMatch(given, keys, expected, [asReceived])) ??
    (await findMatch(given, unchangedKeys, expected, bodyVariants(body))) ??
    (await findMatch(given, keys, contents, [asReceived])) ??
    broken(body) ??
    'no usual mistake explains it; most likely, the secret is that of another endpoint or project [other_secret].'
  );
}

/** A body that is visibly broken cannot match, whatever the secret. */
function broken(body: Uint8Array): string | undefined {
  const damage = damageOf(body);
  return damage && `${damage} [body_changed].`;
}

/** Digests in the header, as hex → how they are written, whatever precedes them. */
function givenDigests(signature: string): Map<string, string> {
  const found = new Map<string, string>();
  const tokens = signature.trim().split(/[\s,]+/);
  for (const token of tokens.slice(0, 32)) {
    const withoutName = token.replace(/^[A-Za-z0-9_-]{1,16}=(?=.)/, '');
    for (const text of [token, withoutName]) {
      if (/^(?:[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)) {
        found.set(text.toLowerCase(), text === text.toLowerCase() ? 'hex' : 'upper-case hex');
      } else if (/^[\w+/-]{43}=?$|^[\w+/-]{86}(?:==)?$/.test(text)) {
        const base64 = text.replace(/-/g, '+').replace(/_/g, '/');
        found.set(toHex(fromBase64(base64)), base64Name(text));
      }
    }
  }
  return found;
}

function base64Name(text: string): string {
  if (/[_-]/.test(text)) return 'base64url';
  return text.endsWith('=') ? 'base64' : 'unpadded base64';
}

async function findMatch(
  given: ReadonlyMap<string, string>,
  keys: readonly KeyVariant[],
  contents: readonly ContentVariant[],
  bodies: readonly BodyVariant[],
): Promise<string | undefined> {
  for (const key of keys)
    for (const content of contents) {
      const hmac = prepareHmac(content.algorithm, key.bytes);
      for (const body of bodies) {
        const digest = await hmac.digest(content.head, body.bytes, 'hex');
        const form = given.get(digest);
        if (form === undefined) continue;
        if (body.finding) return `${body.finding} after it was signed [body_changed].`;
        return (
          describeDifference(key, content) ??
          `the digest is right, but written as ${form} (${content.algorithm}) [other_encoding].`
        );
      }
    }
  return undefined;
}

function describeDifference(key: KeyVariant, content: ContentVariant): string | undefined {
  const findings = [key.finding, content.expected ? undefined : content.finding];
  return findings.filter(Boolean).join(' Also, ') || undefined;
}

function contentVariants(
  signsEnvelope: boolean,
  id: string | undefined,
  timestamp: number | undefined,
): ContentVariant[] {
  const envelope = `${id}.${timestamp}.`;
  return [
    {
      expected: signsEnvelope,
      head: envelope,
      algorithm: 'sha256',
      finding: 'the signature covers id, time and body, as standardScheme() does [other_scheme].',
    },
    {
      expected: !signsEnvelope,
      head: '',
      algorithm: 'sha256',
      finding: 'the signature covers only the body [other_scheme].',
    },
    {
      expected: !signsEnvelope,
      head: '',
      algorithm: 'sha512',
      finding: 'the signature covers only the body, with SHA-512 [other_scheme].',
    },
    {
      expected: false,
      head: `${timestamp}.`,
      algorithm: 'sha256',
      finding: 'the signature covers time and body, but not the id [other_scheme].',
    },
    {
      expected: false,
      head: envelope,
      algorithm: 'sha512',
      finding: 'the delivery is signed with SHA-512 [other_scheme].',
    },
  ];
}
