import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForModules, bundleForWeb, bundleShim, linked } from './bundle.mjs';
import { inChromium, locateChromium } from './chromium.mjs';
import { commandOn } from './command.mjs';
import { exceptionsOn, filesOn } from './manifest.ts';
import { resultOf } from './processes.mjs';
import { inEdgeRuntime, inWorkerd } from './workers.mjs';

const modules = fileURLToPath(new URL('./node_modules', import.meta.url));

/**
 * The manifest's suite on every runtime, as pairs of a name and a check; a check that is `false` cannot
 * run on this machine. A check returns `{ claims, skipped, failures: [{ file, name, error }] }`.
 */
export async function suiteOn(application) {
  application.link(...linked);
  application.write('shim.cjs', await bundleShim());
  await writeModules(application, 'esm', ['node', 'node-20', 'bun', 'deno']);
  await writeModules(application, 'cjs', ['commonjs', 'commonjs-20']);
  const run = (command, ...args) => {
    const env = { NODE_ENV: 'test' };
    return resultOf(command, args, { cwd: application.folder, env });
  };
  const web = (kind) => bundleForWeb(filesOn(kind), application);

  const checks = [];
  for (const version of ['20.19', '22.13', '24']) {
    const old = version.startsWith('20');
    const suffix = old ? '-20' : '';
    const node = join(modules, `node-${version}`, 'bin/node');
    const here = existsSync(node);
    checks.push(
      [`Node ${version}`, here && (() => run(node, `node${suffix}.mjs`))],
      [`the command on Node ${version}`, here && (() => commandOn(application, node, !old))],
    );
    // Node loads CommonJS alike since 22.12: the oldest and the pinned one stand for all.
    if (old)
      checks.push([`Node ${version}, CommonJS`, here && (() => run(node, 'commonjs-20.cjs'))]);
  }
  const deno = ['run', '-A', '--node-modules-dir=manual', '--no-lock', 'deno.mjs'];
  const browser = locateChromium();
  checks.push(
    ['Node as pinned', () => run(process.execPath, 'node.mjs')],
    ['Node as pinned, CommonJS', () => run(process.execPath, 'commonjs.cjs')],
    ['Bun', () => run(join(modules, '.bin/bun'), 'bun.mjs')],
    ['Deno', () => run(join(modules, '.bin/deno'), ...deno)],
    ['workerd', async () => inWorkerd('workerd', await web('workerd'), [])],
    [
      'workerd with nodejs_compat',
      async () => inWorkerd('workerd-node', await web('workerd-node'), ['nodejs_compat']),
    ],
    ['edge runtime', async () => inEdgeRuntime(await web('edge'))],
    ['Chromium', browser && (async () => inChromium(browser, await web('chromium')))],
  );
  return checks;
}

/** A module for each test file, and one for each kind of runtime that runs its files. */
async function writeModules(application, format, kinds) {
  const [extension, load] = format === 'cjs' ? ['cjs', 'require'] : ['mjs', 'import'];
  const nameOf = (file) => `./${file.replaceAll('/', '.').replace(/ts$/, extension)}`;
  const files = new Set(kinds.flatMap(filesOn));
  await Promise.all(
    [...files].map(async (file) =>
      application.write(nameOf(file), await bundleForModules(file, format)),
    ),
  );
  for (const kind of kinds) {
    const lines = filesOn(kind).map((file) => [file, `() => ${load}('${nameOf(file)}')`]);
    const main = mainOf(lines, exceptionsOn(kind));
    const shim = format === 'cjs' ? "require('./shim.cjs');" : "import './shim.cjs';";
    application.write(`${kind}.${extension}`, `${shim}\n${main}`);
  }
}

/** A script that runs the files and prints the result. */
export function mainOf(lines, except) {
  const registered = lines.map(
    ([file, load]) => `globalThis.contentgenSuite.register('${file}', ${load});`,
  );
  return `${registered.join('\n')}
globalThis.contentgenSuite.run(${JSON.stringify(except)}).then((result) => {
  console.log(JSON.stringify(result));
  process.exit();
});`;
}
