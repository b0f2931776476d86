import { runProgram } from './processes.mjs';

/** Compiles the declarations with the oldest supported compiler, whose libraries know nothing newer. */
export async function compileWith(tsc, application, entries) {
  const lines = entries.map((name, i) => `export type * as m${i} from '${name}';`);
  application.write('all.mts', lines.join('\n'));
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  application.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['all.mts'] }));
  const { stdout } = await runProgram(process.execPath, [tsc, '-p', application.folder], {
    cwd: application.folder,
  });
  // The declarations of Node and of the peers need newer compilers.
  const ours = stdout
    .split('\n')
    .filter((line) => /^node_modules\/contentgen\/|^all\.mts/.test(line));
  const error = ours.join('\n      ');
  const failures = error ? [{ file: 'all.mts', name: 'every entry compiles', error }] : [];
  return { claims: 1, skipped: 0, failures };
}
