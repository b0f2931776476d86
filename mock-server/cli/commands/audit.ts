import type { Terminal } from '../terminal.ts';
import { readArguments, urlOf } from '../usage.ts';

/** `contentgen audit URL`: what a receiver does with good and hostile deliveries. */
export async function audit(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    { secret: { type: 'string' }, json: { type: 'boolean', default: false } },
    { least: 1, names: 'URL' },
  );
  const target = urlOf('URL', positionals[0] ?? '').href;
  const secret = values.secret ?? terminal.env['CONTENTGEN_WEBHOOK_SECRET'];
  const { auditReceiver } = await import('../../../src/testing/index.ts');
  if (!values.json) terminal.err(`Auditing ${target} …`);
  const report = await auditReceiver(target, secret === undefined ? {} : { secret });
  terminal.out(values.json ? JSON.stringify(report) : String(report));
  return report.ok ? 0 : 1;
}
