import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { makeTemplates } from '../servers.ts';
import { report } from './report.ts';

const leftOut = `
Left out: what takes long. npm run test:all runs it too.
`;

/** Keeps the responses of the whole run, of every project, and checks them against the contract at its end. */
export function setup({ vitest }: TestProject): (() => void) | undefined {
  if (vitest.projects.every(({ config }) => config.benchmark.enabled)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-responses-'));
  process.env['CONTENTGEN_RESPONSES'] = folder;
  // Workers and the programs that tests start load the same modules hundreds of times.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
    new URL('../../../node_modules/.cache/compiled', import.meta.url),
  );
  const prevented = join(folder, 'prevented.txt');
  process.env['CONTENTGEN_PREVENTED'] = prevented;
  const templates = makeTemplates();
  process.env['CONTENTGEN_TEMPLATES'] = templates;
  const remove = () => {
    for (const one of [folder, templates]) rmSync(one, { recursive: true, force: true });
  };
  // An interrupted run has no teardown.
  process.once('exit', remove);
  return () => {
    const ran = vitest.state.getTestModules().map(({ relativeModuleId }) => relativeModuleId);
    const { text, ok } = report(folder, ran);
    const attempts = existsSync(prevented) ? readFileSync(prevented, 'utf8') : '';
    process.off('exit', remove);
    remove();
    process.stdout.write(`\n${text}\n`);
    if (vitest.config.mode !== 'all') process.stdout.write(leftOut);
    if (attempts) throw new Error(`These tests are not confined to this machine:\n${attempts}`);
    if (!ok) throw new Error('Responses of this run break the contract. They are listed above.');
  };
}
