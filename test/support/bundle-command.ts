import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Bundles the sources of the command, because the tests start it about a hundred times and it then starts three times as
 * fast. Returns the folder, which is two levels below the root, as the sources are.
 */
export function bundleCommand(): string {
  mkdirSync(join(root, 'artifacts'), { recursive: true });
  const folder = mkdtempSync(join(root, 'artifacts/command-'));
  buildSync({
    absWorkingDir: root,
    entryPoints: ['mock-server/cli/index.ts'],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    target: 'node22',
    outExtension: { '.js': '.mjs' },
  });
  return folder;
}
