import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../support/sources.ts';

/** An application whose only dependency is the packed package. */
export interface Application {
  readonly folder: string;
  /** Makes a package of this repository's `node_modules` (a peer) available to the application. */
  link(...names: string[]): void;
  /** The same under another name, in place of what has that name: `linkAs('msw', 'msw-2')`. */
  linkAs(name: string, source: string): void;
  write(name: string, text: string): void;
  run(node: string, file: string): string;
  remove(): void;
}

/** Builds the package if `dist` is out of date, packs it and installs the tarball. */
export function installPackage(): Application {
  if (!isBuilt()) npm(root, 'run', 'build');
  const application = emptyApplication();
  const { folder } = application;
  const pack = npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(pack);
  application.write('package.json', '{ "name": "application", "private": true }');
  const tarballs = [filename, ...dependencies('contentgen')];
  npm(folder, 'install', '--offline', '--install-links', '--no-package-lock', ...tarballs);
  return application;
}

/** A copy of an installed application, which a test file may change. */
export function copyApplication(installation: string): Application {
  const application = emptyApplication();
  cpSync(installation, application.folder, { recursive: true, verbatimSymlinks: true });
  return application;
}

/** The Node versions of this machine: the pinned one, and the one on PATH if it differs. */
export function nodes(): { readonly path: string; readonly major: number }[] {
  const own = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path));
  const found = new Map<string, string>();
  for (const path of [process.execPath, ...(own ? [own] : [])]) {
    const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    if (!found.has(version.trim())) found.set(version.trim(), path);
  }
  return [...found].map(([version, path]) => ({ path, major: Number(version.split('.')[0]) }));
}

function emptyApplication(): Application {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-app-'));
  return {
    folder,
    link(...names) {
      for (const name of names) this.linkAs(name, name);
    },
    linkAs(name, source) {
      const at = join(folder, 'node_modules', name);
      mkdirSync(dirname(at), { recursive: true });
      rmSync(at, { force: true });
      symlinkSync(join(root, 'node_modules', source), at);
    },
    write(name, text) {
      writeFileSync(join(folder, name), text);
    },
    run(node, file) {
      return execFileSync(node, [file], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folders of the runtime dependencies, so that the installation needs no registry. */
function dependencies(name: string): string[] {
  const folder = name === 'contentgen' ? root : join(root, 'node_modules', name);
  const { dependencies: own = {} } = JSON.parse(
    execFileSync(process.execPath, ['-p', 'JSON.stringify(require("./package.json"))'], {
      cwd: folder,
      encoding: 'utf8',
    }),
  );
  return Object.keys(own).flatMap((dependency) => [
    join(root, 'node_modules', dependency),
    ...dependencies(dependency),
  ]);
}

/** Whether `dist` is newer than everything it is built from. */
function isBuilt(): boolean {
  const mark = join(root, 'dist/index.d.ts');
  if (!existsSync(mark)) return false;
  const inputs = globSync(
    ['{src,mock-server,scripts}/**/*', 'openapi.yaml', 'package.json', 'tsup.config.ts'],
    { cwd: root },
  );
  const built = statSync(mark).mtimeMs;
  return inputs
    .map((path) => statSync(join(root, path)))
    .every((input) => input.isDirectory() || input.mtimeMs <= built);
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe' });
}
