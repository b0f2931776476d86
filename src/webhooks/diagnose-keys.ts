import type { WebhookSecret } from '../signing/secret.ts';

export interface KeyVariant {
  /** What is different about it; missing for a configured key. */
  readonly finding?: string;
  readonly bytes: Uint8Array;
}

/** The configured keys, and the ones that common mistakes turn them into. */
export function configuredKeys(secrets: readonly WebhookSecret[]): KeyVariant[] {
  const keys = secrets.flatMap((secret) =>
    typeof secret === 'string' ? keysOfText(secret) : keysOfBytes(secret),
  );
  return keys.filter(({ bytes }) => bytes.length > 0);
}

function keysOfText(secret: string): KeyVariant[] {
  const encoded = secret.slice('whsec_'.length);
  const texts = [
    [secret, 'the whole text'],
    [encoded, 'the text without whsec_'],
    [`${secret}\n`, 'the whole text and a line break'],
    [`${encoded}\n`, 'the text without whsec_, and a line break'],
  ] as const;
  return [
    { bytes: fromBase64(encoded) },
    ...texts.map(([text, which]) => ({
      bytes: toUtf8(text),
      finding: `the sender used the secret as text (${which}), not the bytes that its base64 stands for [secret_as_text].`,
    })),
  ];
}

function keysOfBytes(secret: Uint8Array): KeyVariant[] {
  const keys: KeyVariant[] = [{ bytes: secret }];
  const text = String.fromCharCode(...secret);
  const trimmed = text.trim();
  if (trimmed !== text)
    keys.push({
      bytes: toUtf8(trimmed),
      finding:
        'the bytes of the secret are text with white space around it: trim it [secret_as_text].',
    });
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(trimmed))
    keys.push({
      bytes: fromBase64(trimmed),
      finding:
        "the bytes of the secret are base64 text, which was not decoded. Pass 'whsec_' + that text [secret_as_text].",
    });
  return keys;
}

/** Secrets in other environment variables, for instance of another stage or endpoint. Named, never shown. */
export function environmentKeys(configured: readonly WebhookSecret[]): KeyVariant[] {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const keys: KeyVariant[] = [];
  for (const [name, value] of Object.entries(process?.env ?? {}).slice(0, 1000)) {
    const secret = value?.trim();
    if (!secret?.startsWith('whsec_') || configured.includes(secret)) continue;
    const bytes = fromBase64(secret.slice('whsec_'.length));
    if (bytes.length > 0)
      keys.push({ bytes, finding: `the secret in ${name} matches [other_secret].` });
  }
  return keys.slice(0, 20);
}

function toUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The bytes, or none if the text is not base64. */
export function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
