import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { bundleCommand } from './bundle-command.ts';
import { checkResponse, type RecordedResponse } from './responses/check-response.ts';
import { makeTemplates } from './servers.ts';

const leftOut = `
Left out: what takes long. npm run test:all runs it too.
`;

/** Keeps the responses of the whole run, of every project, and checks them against the contract at its end. */
export function setup({ vitest }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-responses-'));
  process.env['CONTENTGEN_RESPONSES'] = folder;
  // Workers and the programs that tests start load the same modules hundreds of times.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
    new URL('../../node_modules/.cache/compiled', import.meta.url),
  );
  const prevented = join(folder, 'prevented.txt');
  process.env['CONTENTGEN_PREVENTED'] = prevented;
  const templates = makeTemplates();
  process.env['CONTENTGEN_TEMPLATES'] = templates;
  const command = process.env['CONTENTGEN_COMMAND'] ? undefined : bundleCommand();
  if (command) process.env['CONTENTGEN_COMMAND'] = join(command, 'index.mjs');
  const remove = () => {
    for (const one of [folder, templates, command])
      if (one) rmSync(one, { recursive: true, force: true });
  };
  // An interrupted run has no teardown.
  process.once('exit', remove);
  return () => {
    const { count, faults } = checkAll(folder);
    const attempts = existsSync(prevented) ? readFileSync(prevented, 'utf8') : '';
    process.off('exit', remove);
    remove();
    process.stdout.write(`\n${count} responses checked against the contract.\n`);
    if (vitest.config.mode !== 'all') process.stdout.write(leftOut);
    if (attempts) throw new Error(`These tests are not confined to this machine:\n${attempts}`);
    process.stdout.write(faults.map((fault) => `  ${fault}\n`).join(''));
    if (faults.length > 0) throw new Error('Responses break the contract. They are listed above.');
  };
}

/** The number of responses in a folder, and each difference from the contract with the first test that saw it. */
function checkAll(folder: string): { readonly count: number; readonly faults: string[] } {
  let count = 0;
  const faults = new Map<string, string>();
  for (const file of globSync(join(folder, '*.jsonl'))) {
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const response = JSON.parse(line) as RecordedResponse;
      count += 1;
      for (const fault of checkResponse(response)) {
        if (!faults.has(fault)) faults.set(fault, response.of);
      }
    }
  }
  return { count, faults: [...faults].map(([fault, of]) => `${fault}  (${of})`) };
}
