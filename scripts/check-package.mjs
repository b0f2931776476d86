import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commonJsEntries, mockEntries } from './entries.ts';
import { changedReports } from './public-api.mjs';

// Checks the tarball that npm would publish; run `npm run build` first. Entries with CommonJS files must resolve in
// every module mode of Node, the others as ES modules.
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'contentgen-pack-'));
const modulesOnly = Object.keys(mockEntries).filter((subpath) => !(subpath in commonJsEntries));

try {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
  const tarball = join(folder, packed.filename);
  console.log(`${packed.files.length} files, ${packed.size} B packed, ${packed.unpackedSize} B`);
  if (packed.unpackedSize > 5e6)
    fail('The package has more than 5 MB: npm install must stay quick.');
  const changed = changedReports();
  if (changed.length > 0) {
    fail(
      `The public API changed (${changed.join(', ')}). Run node scripts/public-api.mjs and review the diff of docs/public-api.`,
    );
  }
  run('attw', [
    tarball,
    '--profile',
    'node16',
    '--entrypoints',
    ...names(Object.keys(commonJsEntries)),
  ]);
  run('attw', [tarball, '--profile', 'esm-only', '--entrypoints', ...names(modulesOnly)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function names(subpaths) {
  return subpaths.map((subpath) => subpath.replace(/^\.\//, ''));
}

function run(command, args) {
  const { status } = spawnSync(join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) fail(`${command} failed with ${status}.`);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
