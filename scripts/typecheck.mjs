import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Checks each folder with only the libraries and types that it may use, and finally the root project, which sees
// everything. `--compiler typescript` selects another compiler. What did not change since the last run
// is not checked again; delete node_modules/.cache/typecheck to start afresh.
const root = fileURLToPath(new URL('..', import.meta.url));
const at = process.argv.indexOf('--compiler');
const compiler = at < 0 ? 'typescript-7' : process.argv[at + 1];
const projects = [
  'mock-server/domain',
  'mock-server/api',
  'mock-server',
  'mock-server/dashboard',
  'src',
  'test/types',
  // What they import is installed apart from the rest.
  ...(existsSync(`${root}bench/node_modules`) ? ['bench/webhooks'] : []),
  ...(existsSync(`${root}test/foreign/node_modules`) ? ['test/foreign'] : []),
  '.',
].filter((folder) => hasSources(folder));

function hasSources(folder) {
  if (folder === '.') return true;
  if (!existsSync(`${root}${folder}/tsconfig.json`)) return false;
  return readdirSync(`${root}${folder}`, { recursive: true }).some((name) => /\.tsx?$/.test(name));
}

function check(folder) {
  return new Promise((resolve) => {
    const state = `${root}node_modules/.cache/typecheck/${compiler}-${folder.replaceAll('/', '-')}.tsbuildinfo`;
    const args = [`${root}node_modules/${compiler}/bin/tsc`, '-p', folder, '--pretty', 'false'];
    args.push('--incremental', '--tsBuildInfoFile', state);
    const child = spawn(process.execPath, args, { cwd: root });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ folder, code, output }));
  });
}

for (const folder of projects) {
  const { code, output } = await check(folder);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${folder}`);
  if (code !== 0) {
    console.log(output);
    process.exitCode = 1;
  }
}
