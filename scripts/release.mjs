import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// Stages the tested tarball `artifacts/contentgen-VERSION.tgz` and tags its commit, once for each version. Writes the SBOM and
// the notes of the release next to the tarball. npm publishes what a maintainer approves: `npm stage approve ID`, then publish
// the draft on GitHub.
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const tag = `v${version}`;
const tarball = resolve(`artifacts/contentgen-${version}.tgz`);

if (version === '0.0.0') finish('Nothing to release: no changeset has set a version yet.');
if (run('git', 'ls-remote', '--tags', 'origin', `refs/tags/${tag}`)) {
  finish(`Nothing to release: ${tag} exists.`);
}
const [major, minor] = run('npm', '--version').split('.').map(Number);
if (major < 11 || (major === 11 && minor < 15)) {
  throw new Error(`npm ${major}.${minor} cannot stage a package. Install npm 11.15 or later.`);
}
if (!existsSync(tarball))
  throw new Error(`${tarball} is missing: save the package that CI tested.`);

writeFileSync('artifacts/sbom.cdx.json', `${JSON.stringify(await sbom(), null, 2)}\n`);
writeFileSync('artifacts/notes.md', notes());
const provenance = process.env.GITHUB_ACTIONS === 'true' ? ['--provenance'] : [];
console.log(run('npm', 'stage', 'publish', tarball, '--access', 'public', ...provenance));
run('git', 'tag', tag);
run('git', 'push', '--quiet', 'origin', `refs/tags/${tag}`);
if (process.env.GITHUB_OUTPUT) {
  appendFileSync(process.env.GITHUB_OUTPUT, `staged=true\nversion=${version}\n`);
}

/** CycloneDX, of what an installation contains: the package, its dependencies, and the packages bundled into it. */
async function sbom() {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-sbom-'));
  try {
    run('tar', '-xzf', tarball, '-C', folder);
    // npm names the component after its folder.
    const cwd = join(folder, 'contentgen');
    renameSync(join(folder, 'package'), cwd);
    const npm = (...args) => execFileSync('npm', args, { cwd, encoding: 'utf8' });
    npm('pkg', 'delete', 'devDependencies', 'peerDependencies', 'peerDependenciesMeta');
    npm('install', '--ignore-scripts');
    const document = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx'));
    const notices = readFileSync(join(cwd, 'THIRD_PARTY_NOTICES'), 'utf8');
    const bundled = [...notices.matchAll(/^-{80}\n\n(\S+) (\S+) \((.+)\)$/gm)];
    const known = new Set(document.components.map((component) => component['bom-ref']));
    for (const [, name, version, license] of bundled) {
      const ref = `${name}@${version}`;
      if (known.has(ref)) continue;
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      const licenses = [{ license: { id: license } }];
      document.components.push({ 'bom-ref': ref, type: 'library', name, version, purl, licenses });
    }
    return document;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The version's section of the changelog. */
function notes() {
  const [, after = ''] = readFileSync('CHANGELOG.md', 'utf8').split(`\n## ${version}\n`);
  const text = after.split('\n## ')[0].trim();
  if (!text) throw new Error(`CHANGELOG.md has no section ${version}.`);
  return `${text}\n`;
}

function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8' }).trim();
}

function finish(message) {
  console.log(message);
  process.exit();
}
