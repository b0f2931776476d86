import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A path in a temporary folder that is deleted when the test ends. */
export function temporaryFile(name = 'contentgen.db'): string {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}
