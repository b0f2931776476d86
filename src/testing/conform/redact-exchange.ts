import { printable } from '../../clean-text.ts';

const limit = 600;
const formats =
  /(?:cg_(?:live|test)_|whsec_)[\w+/=-]{8,}|eyJ[\w-]{8,}\.[\w.-]+|(?<="[^"]*(?:key|secret|token|credential|password)[^"]*"\s*:\s*")[^"\s]{8,}/gi;

/** One request, and its response if we sent it, as text without anything that is or looks like a secret. */
export function redactExchange(
  { method, url, body = '' }: { method: string; url: string; body: string | undefined },
  secrets: ReadonlySet<string>,
  response?: { status: number; text: string },
): string {
  const clean = (content: string) => {
    let kept = content;
    for (const secret of secrets) kept = kept.replaceAll(secret, '[redacted]');
    return printable(kept.replace(formats, '[redacted]').slice(0, limit));
  };
  const lines = [`${method} ${url}`, body];
  if (response) lines.push(`→ ${response.status || 'no response'}`, response.text);
  return lines.map(clean).filter(Boolean).join('\n');
}
