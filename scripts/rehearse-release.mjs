import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startRegistry } from '../test/registry/registry.mjs';
import { rehearseImage } from './rehearse-image.mjs';

// Rehearses a release of the committed sources without a service of others (npx -c 'node scripts/rehearse-release.mjs', after
// npm ci --prefix test/registry): version, changelog, two builds, SBOM, tag, staging and approval at a local registry,
// installation, first call, and the container.
/** What a stranger writes first. */
const FIRST_CALL = `
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer();
const client = new ContentGen({ baseUrl: mock.baseUrl, apiKey: mock.adminKey, fetch: mock.fetch });
console.log((await client.content.generate({ prompt: 'A haiku about TCP' })).status);
`;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'contentgen-release-'));
const clone = join(folder, 'contentgen');
const second = join(folder, 'second/contentgen');
const application = join(folder, 'application');
const exec = promisify(execFile);
const env = environment();
let registry;
/** Ends the current step, so that the folder is removed. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());

try {
  step('the package is versioned from its changesets');
  for (const path of [clone, second]) {
    await run(folder, 'git', 'clone', '-q', `file://${root}`, path);
    // Hard links, where the system has them: the builds change nothing in it but their cache.
    await run(root, 'cp', '-al', 'node_modules', path).catch(() =>
      run(root, 'cp', '-R', 'node_modules', path),
    );
    await run(path, 'git', 'config', 'user.name', 'Rehearsal');
    await run(path, 'git', 'config', 'user.email', 'rehearsal@example.com');
    await run(path, 'npx', 'changeset', 'version');
    await run(path, 'npm', 'run', 'generate');
    await run(path, 'node', 'bench/history.mjs', 'add');
    await run(path, 'git', 'add', '-A');
    await run(path, 'git', 'commit', '-q', '--allow-empty', '-m', 'Version the package');
  }
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
  assert(/^\d+\.\d+\.\d+$/.test(version) && version !== '0.0.0', `the version is ${version}`);
  assert(changelog.includes(`\n## ${version}\n`), 'the changelog announces it');
  assert(!/^- [0-9a-f]{7}: /m.test(changelog), 'the changelog names no commits');

  step('two builds of the commit, in two folders, give the same tarball');
  const tarballs = await Promise.all([clone, second].map(pack));
  const [hash, again] = tarballs.map((path) =>
    createHash('sha512').update(readFileSync(path)).digest('base64'),
  );
  assert(hash === again, 'the tarballs are equal');

  step('the tested tarball is staged, approved and published, and the tag reaches its commit');
  registry = await startRegistry(join(folder, 'registry'));
  const { host } = new URL(registry.url);
  const settings = `registry=${registry.url}\n//${host}/:_authToken=${registry.token}\n`;
  writeFileSync(env.npm_config_userconfig, settings);
  await registry.publishDirectly(async () => {
    for (const dependency of ['openapi-typescript-helpers', 'openapi-fetch'])
      await run(root, 'npm', 'publish', `./node_modules/${dependency}`, '--ignore-scripts');
  });
  const refused = await run(clone, 'npm', 'publish', tarballs[0]).catch(({ stderr }) => stderr);
  assert(refused.includes('403'), 'the registry refuses what is published without being staged');
  await run(folder, 'git', 'init', '-q', '--bare', 'origin.git');
  await run(clone, 'git', 'remote', 'set-url', 'origin', join(folder, 'origin.git'));
  const staged = await run(clone, 'node', 'scripts/release.mjs');
  const isPublic = () => run(folder, 'npm', 'view', 'contentgen', 'version').catch(() => '');
  assert((await isPublic()) === '', 'nobody can install it before it is approved');
  const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(staged) ?? [];
  await run(clone, 'npm', 'stage', 'approve', `${id}`, '--otp=123456');
  assert((await isPublic()) === version, 'a maintainer approves it with a one-time password');
  const tags = await run(clone, 'git', 'ls-remote', '--tags', 'origin');
  assert(tags.includes(`refs/tags/v${version}`), `the tag v${version} is pushed`);
  const repeated = await run(clone, 'node', 'scripts/release.mjs');
  assert(repeated.includes('exists'), 'a second run does nothing');
  const integrity = await run(folder, 'npm', 'view', 'contentgen', 'dist.integrity');
  assert(integrity === `sha512-${hash}`, 'the registry has the tested bytes');
  checkSbom(JSON.parse(readFileSync(join(clone, 'artifacts/sbom.cdx.json'), 'utf8')), version);
  const notes = readFileSync(join(clone, 'artifacts/notes.md'), 'utf8');
  assert(changelog.includes(notes.trim()), 'the notes are the section of the changelog');

  step('a stranger installs it and makes a call');
  mkdirSync(application);
  writeFileSync(join(application, 'package.json'), '{ "private": true, "type": "module" }');
  await run(application, 'npm', 'install', 'contentgen');
  writeFileSync(join(application, 'call.js'), FIRST_CALL);
  assert((await run(application, 'node', 'call.js')) === 'completed', 'the first call completes');
  const shown = await run(application, 'npx', '--no-install', 'contentgen', '--version');
  assert(shown.includes(version), `the command says ${version}`);

  step('the container runs it');
  await rehearseImage({ root: clone, folder, tarball: tarballs[0], run, assert });

  console.log(`\nThe release of ${version} would work.`);
} finally {
  await registry?.close();
  // A process that is ending could still write into it.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

async function pack(path) {
  await run(path, 'npm', 'run', 'build');
  const artifacts = join(path, 'artifacts');
  mkdirSync(artifacts);
  const packed = await run(
    path,
    'npm',
    'pack',
    '--ignore-scripts',
    '--pack-destination',
    artifacts,
  );
  return join(artifacts, packed.split('\n').at(-1));
}

function checkSbom({ bomFormat, metadata, components }, version) {
  assert(bomFormat === 'CycloneDX', 'the SBOM is CycloneDX');
  assert(metadata.component.purl === `pkg:npm/contentgen@${version}`, 'it describes the package');
  const names = new Set(components.map(({ name }) => name));
  const expected = ['openapi-fetch', 'openapi-typescript-helpers', 'undici', '@preact/signals'];
  assert(
    expected.every((name) => names.has(name)),
    'it lists dependencies and bundled packages',
  );
}

/** The npm that can stage, a home of its own, and none of the settings of the npm that started this. */
function environment() {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD|GITHUB_)/i.test(name),
  );
  return {
    ...Object.fromEntries(own),
    PATH: [
      join(root, 'test/registry/node_modules/.bin'),
      join(root, 'node_modules/.bin'),
      process.env.PATH,
    ].join(delimiter),
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_cache: join(folder, 'cache'),
  };
}

async function run(cwd, command, ...args) {
  const { stdout } = await exec(command, args, {
    ...{ cwd, env, maxBuffer: 2 ** 26 },
    signal: interruption.signal,
  });
  return stdout.trim();
}

function step(name) {
  console.log(`\n${name}`);
}

function assert(holds, claim) {
  if (!holds) throw new Error(`Not true: ${claim}.`);
  console.log(`  ${claim}`);
}
