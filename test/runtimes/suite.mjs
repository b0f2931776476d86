import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { clientEntries, mockEntries, specifier } from '../../scripts/entries.ts';
import { bundleForCommonJs } from './bundle.mjs';
import { inChromium, locateChromium } from './chromium.mjs';
import { commandOn } from './command.mjs';
import { resultOf } from './processes.mjs';
import { inEdgeRuntime, inWorkerd } from './workers.mjs';

/**
 * The claims of `programs` on every runtime, as pairs of a name and a check; a check that is `false` cannot run on this
 * machine. A check returns `{ claims, skipped, failures: [{ file, name, error }] }`.
 */
export async function suiteOn(modules, application) {
  cpSync(join(import.meta.dirname, 'programs'), join(application.folder, 'programs'), {
    recursive: true,
  });
  application.write('programs/entries.mjs', loadEntries());
  application.link('msw', 'zod', '@opentelemetry/api');
  application.write('programs/node.cjs', await bundleForCommonJs('programs/node.mjs', application));
  const run = (command, ...args) => resultOf(command, args, { cwd: application.folder });
  const esm = 'programs/node.mjs';
  const cjs = 'programs/node.cjs';

  const checks = [];
  for (const version of ['20.19', '22.13', '24']) {
    const old = version.startsWith('20');
    const flags = old ? ['--without-msw'] : [];
    const node = join(modules, `node-${version}`, 'bin/node');
    const here = existsSync(node);
    checks.push(
      [`Node ${version}`, here && (() => run(node, esm, ...flags))],
      [`the command on Node ${version}`, here && (() => commandOn(application, node, !old))],
    );
    // Node loads CommonJS alike since 22.12: the oldest and the pinned one stand for all.
    if (old) checks.push([`Node ${version}, CommonJS`, here && (() => run(node, cjs, ...flags))]);
  }
  const deno = ['run', '-A', '--node-modules-dir=manual', '--no-lock'];
  const browser = locateChromium();
  checks.push(
    ['Node as pinned', () => run(process.execPath, esm)],
    ['Node as pinned, CommonJS', () => run(process.execPath, cjs)],
    ['Bun', () => run(join(modules, '.bin/bun'), esm, '--without-msw')],
    ['Deno', () => run(join(modules, '.bin/deno'), ...deno, esm, '--without-msw')],
    ['workerd', () => inWorkerd(application, [])],
    ['workerd with nodejs_compat', () => inWorkerd(application, ['nodejs_compat'])],
    ['edge runtime', () => inEdgeRuntime(application)],
    ['Chromium', browser && (() => inChromium(browser, application))],
  );
  return checks;
}

/** A module of the entries that Node can load. */
function loadEntries() {
  const { './mock/browser': _forPages, ...forNode } = { ...clientEntries, ...mockEntries };
  const lines = Object.keys(forNode).map((subpath) => {
    const name = specifier(subpath);
    return `  '${name}': () => import('${name}'),`;
  });
  return `export const entries = {\n${lines.join('\n')}\n};\n`;
}
