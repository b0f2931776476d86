import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

// Runs in a separate process: a test run's transformed modules would cost more than the measured work.
test('verifying webhooks', () => {
  const script = fileURLToPath(new URL('./verify.ts', import.meta.url));
  console.log(
    execFileSync(process.execPath, ['--no-warnings', '--expose-gc', script], { encoding: 'utf8' }),
  );
}, 600_000);
