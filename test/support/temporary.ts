import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is deleted when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A path in a folder of its own; a file with `text`, if that is given. */
export function temporaryFile(name = 'contentgen.db', text?: string): string {
  const path = join(temporaryFolder(), name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
}
