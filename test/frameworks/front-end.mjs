import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended, installInto } from './programs.mjs';

const config = `import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { environment: 'jsdom', include: ['*.test.tsx'] } });
`;

/** Runs the files of the front-end guide, as they are printed there, with Vitest in jsdom. */
export async function frontEnd(folder, installed) {
  installInto(folder, installed);
  const project = join(folder, 'project');
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  const guide = readFileSync(join(folder, '../../../docs/front-end.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```tsx (\S+)\n([\s\S]*?)^```$/gm)];
  if (blocks.length < 6) throw new Error('The guide has lost its files.');
  for (const [, name, text] of blocks) writeFileSync(join(project, name), text);
  writeFileSync(join(project, 'vitest.config.mjs'), config);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--root', project, '--reporter', 'json'];
  const vitest = spawn(process.execPath, [...args, '--outputFile', join(project, 'report.json')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { output } = await ended(vitest);
  try {
    const { testResults } = JSON.parse(readFileSync(join(project, 'report.json'), 'utf8'));
    const results = testResults.flatMap(({ message, assertionResults }) =>
      assertionResults.length > 0
        ? assertionResults
        : [{ fullName: 'it runs', status: 'failed', failureMessages: [message] }],
    );
    const failures = results
      .filter(({ status }) => status !== 'passed')
      .map(({ fullName, failureMessages }) => ({
        name: fullName,
        error: failureMessages.join('\n') || output,
      }));
    return { claims: results.length, failures };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
