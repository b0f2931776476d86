import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { report } from './report.ts';

/**
 * Around the whole run, of every project: answers are kept while it runs, and held to the contract at its end. Benches
 * are left alone.
 */
export function setup({ vitest }: TestProject): (() => void) | undefined {
  if (vitest.projects.every(({ config }) => config.benchmark.enabled)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-answers-'));
  process.env['CONTENTGEN_ANSWERS'] = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // A run that is interrupted has no teardown.
  process.once('exit', remove);
  return () => {
    const ran = vitest.state.getTestModules().map(({ relativeModuleId }) => relativeModuleId);
    const { text, ok } = report(folder, ran);
    process.off('exit', remove);
    remove();
    process.stdout.write(`\n${text}\n`);
    if (!ok) throw new Error('The answers of this run break the contract: see above.');
  };
}
