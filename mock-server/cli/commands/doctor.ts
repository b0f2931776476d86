import { DEFAULT_URL } from '../connection.ts';
import { checkClock, checkKey, checkReachable } from '../doctor/deployment.ts';
import type { Finding } from '../doctor/finding.ts';
import { checkSavedRequest, checkSecret } from '../doctor/signature.ts';
import type { Terminal } from '../terminal.ts';
import { readArguments, UsageError, urlOf } from '../usage.ts';

const MARKS = { ok: ['green', '✓'], wrong: ['red', '✗'], skipped: ['dim', '-'] } as const;

function print(finding: Finding, terminal: Terminal): void {
  const [colour, mark] = MARKS[finding.verdict];
  const detail = finding.detail.replaceAll('\n', `\n${' '.repeat(13)}`);
  terminal.out(`${terminal.paint(colour, mark)} ${finding.check.padEnd(10)} ${detail}`);
}

async function readFiles(
  headers: string,
  body: string,
): Promise<{ headers: string; body: Uint8Array }> {
  const { readFile } = await import('node:fs/promises');
  try {
    return { headers: await readFile(headers, 'utf8'), body: await readFile(body) };
  } catch (error) {
    throw new UsageError(`Failed to read the saved request: ${(error as Error).message}.`);
  }
}

/** `contentgen doctor`: what is wrong with an integration, and what to do. */
export async function doctor(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = readArguments(argv, {
    url: { type: 'string' },
    'api-key': { type: 'string' },
    secret: { type: 'string' },
    headers: { type: 'string' },
    body: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const { env } = terminal;
  if ((values.headers === undefined) !== (values.body === undefined)) {
    throw new UsageError('--headers and --body belong together.');
  }
  const saved =
    values.headers !== undefined && values.body !== undefined
      ? await readFiles(values.headers, values.body)
      : undefined;
  const given = values.url ?? env['CONTENTGEN_BASE_URL'];
  const url = urlOf('--url', given ?? DEFAULT_URL).href.replace(/\/+$/, '');
  const apiKey = values['api-key'] ?? env['CONTENTGEN_API_KEY'];
  const secret = values.secret ?? env['CONTENTGEN_WEBHOOK_SECRET'];

  const findings: Finding[] = [];
  const note = (finding: Finding) => {
    findings.push(finding);
    if (!values.json) print(finding, terminal);
    return finding.verdict === 'ok';
  };

  // A saved request can be explained without any server.
  if (!saved || given !== undefined) {
    const { finding, date } = await checkReachable(url);
    if (note(finding)) {
      note(checkClock(date, Date.now()));
      note(await checkKey(url, apiKey));
    }
  }
  if (note(await checkSecret(secret)) && saved && secret !== undefined) {
    for (const finding of await checkSavedRequest(saved, secret, Date.now())) note(finding);
  } else if (saved) {
    note({
      check: 'signature',
      verdict: 'skipped',
      detail: 'It cannot be checked without the secret.',
    });
  }
  const ok = findings.every(({ verdict }) => verdict !== 'wrong');
  if (values.json) terminal.out(JSON.stringify({ ok, findings }));
  return ok ? 0 : 1;
}
