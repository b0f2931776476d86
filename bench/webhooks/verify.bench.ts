import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

// In a process of its own: the transformed modules of a test run cost more than what is measured.
test('verifying webhooks', () => {
  const script = fileURLToPath(new URL('./verify.ts', import.meta.url));
  console.log(
    execFileSync(process.execPath, ['--no-warnings', '--expose-gc', script], { encoding: 'utf8' }),
  );
}, 600_000);
