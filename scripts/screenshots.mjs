import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Saves screenshots of every page of the dashboard to artifacts/dashboard: light, dark and on a phone.
const root = fileURLToPath(new URL('..', import.meta.url));
const tests = ['looks', 'simulation'].map((name) => `test/mock-server/dashboard/${name}.test.ts`);
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'node-dashboard', ...tests], {
  cwd: root,
  env: { ...process.env, SCREENSHOTS: '1' },
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
console.log('The screenshots are in artifacts/dashboard.');
process.exitCode = status ?? 1;
