import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm install silently omits platform binaries that the registry does not serve, and npm ci then rejects the lock file.
// So every optional dependency must have an entry with the wanted version, and no entry may name a registry host.
const root = fileURLToPath(new URL('..', import.meta.url));
const exclude = (path) => path.endsWith('node_modules');
for (const lock of globSync('**/package-lock.json', { cwd: root, exclude })) check(lock);

function check(lock) {
  const { packages } = JSON.parse(readFileSync(join(root, lock), 'utf8'));
  const problems = [];

  for (const [key, entry] of Object.entries(packages)) {
    if (entry.resolved !== undefined && !entry.link) problems.push(`${key}: names a registry host`);
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      let base = key;
      let found;
      for (;;) {
        found = packages[`${base ? `${base}/` : ''}node_modules/${name}`];
        if (found?.version || base === '') break;
        const cut = base.lastIndexOf('/node_modules/');
        base = cut < 0 ? '' : base.slice(0, cut);
      }
      if (!found?.version || (/^\d/.test(range) && found.version !== range)) {
        problems.push(`${key}: ${name}@${range} is missing`);
      }
    }
  }

  for (const problem of problems) console.error(`${lock}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${lock}: ${Object.keys(packages).length} entries, complete, no registry host`);
}
