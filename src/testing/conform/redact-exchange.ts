import { printable } from '../../clean-text.ts';

const limit = 600;
/** What is searched for things that look like a secret: the search takes long in a long text. */
const searched = 5000;
const formats =
  /(?:cg_(?:live|test)_|whsec_)[\w+/=-]{8,}|eyJ[\w-]{8,}\.[\w.-]+|(?<="[^"]*(?:key|secret|token|credential|password)[^"]*"\s*:\s*")[^"\s]{8,}/gi;

/** The text in one line of printable characters, without anything that is or looks like a secret. */
export function redact(text: string, secrets: ReadonlySet<string>): string {
  let kept = text;
  for (const secret of secrets) kept = kept.replaceAll(secret, '[redacted]');
  return printable(kept.slice(0, searched).replace(formats, '[redacted]').slice(0, limit));
}

/** One request, and its response if we sent it, each part redacted. */
export function redactExchange(
  { method, url, body = '' }: { method: string; url: string; body: string | undefined },
  secrets: ReadonlySet<string>,
  response?: { status: number; text: string },
): string {
  const lines = [`${method} ${url}`, body];
  if (response) lines.push(`→ ${response.status || 'no response'}`, response.text);
  return lines
    .map((line) => redact(line, secrets))
    .filter(Boolean)
    .join('\n');
}
