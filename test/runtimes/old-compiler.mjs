import { runProgram } from './processes.mjs';

/** Compiles the declarations with the oldest supported compiler, in each mode of module resolution. */
export async function compileWith(tsc, application, entries) {
  const lines = entries.map((name, i) => `export type * as m${i} from '${name}';`);
  application.write('all.mts', lines.join('\n'));
  const failures = [];
  const ways = ['NodeNext', 'Bundler'];
  for (const way of ways) {
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      module: way === 'Bundler' ? 'ESNext' : way,
      moduleResolution: way,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      // Once is enough: the other ways only find the declarations elsewhere.
      skipLibCheck: way !== 'NodeNext',
    };
    application.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['all.mts'] }));
    const { stdout } = await runProgram(process.execPath, [tsc, '-p', application.folder], {
      cwd: application.folder,
    });
    // The declarations of Node and of the peers need newer compilers.
    const ours = stdout
      .split('\n')
      .filter((line) => /^node_modules\/contentgen\/|^all\.mts/.test(line));
    if (ours.length > 0)
      failures.push({ file: 'all.mts', name: way, error: ours.join('\n      ') });
  }
  return { claims: ways.length, skipped: 0, failures };
}
