import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { runProgram } from '../processes.mjs';

const binaries = { linux: 'linux64-bin/hermes', darwin: 'osx-bin/hermes' };

/**
 * Runs the packed package on Hermes, compiled by the Babel preset of React Native; `undefined` where there is no binary.
 */
export function hermes(modules, application) {
  const binary = join(modules, 'hermes-engine-cli', binaries[process.platform] ?? '');
  const isMissing = !existsSync(binary) || (process.platform === 'linux' && process.arch !== 'x64');
  return isMissing ? undefined : () => runClaims(binary, modules, application);
}

async function runClaims(binary, modules, application) {
  const folder = join(application.folder, 'hermes');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'program.js');
  writeFileSync(file, await compile(modules, application));
  const { status, stdout, stderr } = await runProgram(binary, ['-w', file], { cwd: folder });
  const lines = stdout.trim().split('\n');
  if (status !== 0 || lines.pop() !== 'done') {
    throw new Error(`exit ${status}: ${`${stdout}${stderr}`.slice(-4000)}`);
  }
  const results = lines.map((line) => JSON.parse(line));
  const failures = results
    .filter(({ error }) => error)
    .map((result) => ({ file: 'test/runtimes/hermes/program.js', ...result }));
  return { claims: results.length, skipped: 0, failures };
}

/** Bundled as Metro resolves packages, then without the syntax that Hermes lacks. */
async function compile(modules, application) {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'program.js')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'esnext',
    conditions: ['react-native', 'import'],
    mainFields: ['react-native', 'browser', 'main'],
    nodePaths: [join(application.folder, 'node_modules'), modules],
  });
  const require = createRequire(join(modules, 'none.cjs'));
  const { code } = require('@babel/core').transformSync(outputFiles[0].text, {
    presets: [
      [
        require.resolve('@react-native/babel-preset'),
        {
          unstable_transformProfile: 'default',
          enableBabelRuntime: false,
          disableImportExportTransform: true,
        },
      ],
    ],
    filename: 'program.js',
    babelrc: false,
    configFile: false,
    compact: false,
  });
  return code;
}
