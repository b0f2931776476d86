import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { report } from './report.ts';

/** Keeps the responses of the whole run, of every project, and checks them against the contract at its end. */
export function setup({ vitest }: TestProject): (() => void) | undefined {
  if (vitest.projects.every(({ config }) => config.benchmark.enabled)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-responses-'));
  process.env['CONTENTGEN_RESPONSES'] = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // An interrupted run has no teardown.
  process.once('exit', remove);
  return () => {
    const ran = vitest.state.getTestModules().map(({ relativeModuleId }) => relativeModuleId);
    const { text, ok } = report(folder, ran);
    process.off('exit', remove);
    remove();
    process.stdout.write(`\n${text}\n`);
    if (!ok) throw new Error('Responses of this run break the contract. They are listed above.');
  };
}
