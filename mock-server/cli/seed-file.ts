import { readFileSync } from 'node:fs';
import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml';
import { formatSeedPath, type SeedData, type SeedPath } from '../control/seed/seed-data.ts';
import { UsageError } from './values.ts';

export interface SeedFile {
  /** As it is in the file; `createMockServer` checks it. */
  readonly data: SeedData;
  /** The error for a mistake that `createMockServer` found, with the line of the file. */
  errorAt(path: SeedPath, problem: string): UsageError;
}

/** Reads a YAML file; JSON is YAML too. */
export function readSeedFile(file: string): SeedFile {
  const lines = new LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, merge: true };
  const document = parseDocument(readText(file), options);
  const [error] = [...document.errors, ...document.warnings];
  if (error) {
    throw new UsageError(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  }
  return {
    data: toPlain(document, file),
    errorAt(path, problem) {
      const { line } = lines.linePos(offsetOf(document, path));
      const subject = path.length === 0 ? 'The file' : formatSeedPath(path);
      return new UsageError(`${file}:${line}: ${subject} ${problem}`);
    },
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `Failed to read ${file} (${code}). Pass --seed-file a readable YAML file.`,
    );
  }
}

/** Throws if `<<` merges anything but maps, or if aliases would expand the document to many times the size of the file. */
function toPlain(document: Document, file: string): SeedData {
  try {
    return document.toJS() as SeedData;
  } catch (error) {
    throw new UsageError(`Failed to read ${file}: ${(error as Error).message}`);
  }
}

/** Where a value, or the key of a field, starts; for a missing value, where its parent starts. */
function offsetOf(document: Document, path: SeedPath): number {
  const name = path.at(-1);
  const parent = document.getIn(path.slice(0, -1), true);
  if (typeof name === 'string' && isMap(parent)) {
    const pair = parent.items.find(({ key }) => isNode(key) && String(key) === name);
    if (pair && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
  }
  const node = document.getIn(path, true);
  if (isNode(node) && node.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}
