import type { Terminal } from '../terminal.ts';
import { CommandError, readArguments, UsageError, urlOf } from '../usage.ts';

const PROBE_MS = 5000;

/** Nothing to audit where nothing answers: told apart from a receiver that answers wrongly. */
async function probe(url: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
    await response.body?.cancel();
  } catch {
    throw new CommandError(`Nothing answers at ${url}. Start the receiver first.`);
  }
}

/** `contentgen audit URL`: what a receiver does with good and hostile deliveries. */
export async function audit(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    {
      secret: { type: 'string' },
      token: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    { least: 1, names: 'URL' },
  );
  const target = urlOf('URL', positionals[0] ?? '').href;
  const secret = values.secret ?? terminal.env['CONTENTGEN_WEBHOOK_SECRET'];
  if (!secret) throw new UsageError('--secret (or CONTENTGEN_WEBHOOK_SECRET) is missing.');
  await probe(target);
  const { auditReceiver } = await import('../../../src/testing/index.ts');
  if (!values.json) terminal.err(`Auditing ${target}: good and hostile deliveries, some seconds …`);
  const { token } = values;
  const report = await auditReceiver(target, { secret, ...(token ? { token } : {}) });
  terminal.out(values.json ? JSON.stringify(report) : String(report));
  return report.ok ? 0 : 1;
}
