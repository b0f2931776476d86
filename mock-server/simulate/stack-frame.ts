import { decodeComponent } from '../domain/redact.ts';

/** A place in a source file. */
export interface StackFrame {
  readonly file: string;
  /** Counted from 1. */
  readonly line: string;
}

/**
 * Reads a line of a stack. A path can contain spaces and brackets; in a URL, they are encoded. Returns undefined if the
 * line names no place.
 */
export function frameOf(text: string): StackFrame | undefined {
  const [, inBrackets, place = inBrackets] =
    /^\s*at (?:async )?(?:.*? \((.*)\)|(.*))$/.exec(text) ?? [];
  const [, url, file = '', line = ''] =
    /^(file:\/\/)?(.+?)(?:\?[^:]*)?:(\d+):\d+$/.exec(place ?? '') ?? [];
  if (file === '' || file.startsWith('eval at ')) return undefined;
  return { file: url === undefined ? file : decodeComponent(file), line };
}

/** The path as it is shown: relative to the working directory, if it is below it. */
export function shownPath(file: string): string {
  const cwd = `${globalThis.process?.cwd?.() ?? ''}/`;
  return file.startsWith(cwd) ? file.slice(cwd.length) : file;
}
