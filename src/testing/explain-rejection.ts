import type { TargetResponse } from './send.ts';

/** What to check when a receiver accepted none of the valid deliveries, by its last response. */
export function explainRejection(responses: readonly TargetResponse[]): string {
  const { status, body } = responses.at(-1) ?? { status: 0, body: '' };
  const code = /"code":\s*"([a-z_]{1,40})"/.exec(body)?.[1];
  const found = status === 0 ? body : [status, code].filter(Boolean).join(' ');
  return `No delivery was accepted (${found}): ${question(status, code)}`;
}

function question(status: number, code: string | undefined): string {
  if (status === 0) return 'is the receiver running, and is this its URL?';
  if (code === 'token_mismatch') return 'is the token right? Pass the token of the registration.';
  if (code?.startsWith('timestamp_')) return "is the receiver's clock right?";
  if (code === 'missing_header')
    return 'does a proxy remove headers, or does the receiver expect another scheme?';
  if (code === 'no_supported_signature') return 'does the receiver expect another scheme?';
  if (code === 'body_already_parsed') return 'is a body parser mounted before the webhook route?';
  if (status >= 300 && status < 400) return 'redirects are not followed. Pass the final URL.';
  if (status === 404 || status === 405) return 'is this the URL of the webhook route?';
  if (status >= 500) return "what does the receiver's log say?";
  return "is the secret right? It must be the receiver's own signing secret.";
}
