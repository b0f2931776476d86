import { decodeComponent } from '../domain/redact.ts';

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
  const [, frame] = text.trim().split(/^at (?:async )?/);
  if (frame === undefined) return undefined;
  const bracket = frame.endsWith(')') ? frame.indexOf(' (') : -1;
  const parts = (bracket < 0 ? frame : frame.slice(bracket + 2, -1)).split(':');
  const [column = '', line = ''] = [parts.pop(), parts.pop()];
  const [last = ''] = parts.splice(-1);
  const place = [...parts, last.split('?', 1)[0]].join(':');
  const isPlace = /^\d+$/.test(line) && /^\d+$/.test(column);
  if (!isPlace || place === '' || place.startsWith('eval at ')) return undefined;
  const scheme = 'file://';
  const isUrl = place.startsWith(scheme);
  return { file: isUrl ? decodeComponent(place.slice(scheme.length)) : place, line };
}

/** The path as it is shown: relative to the working directory, if it is below it. */
export function shownPath(file: string): string {
  const cwd = `${globalThis.process?.cwd?.() ?? ''}/`;
  return file.startsWith(cwd) ? file.slice(cwd.length) : file;
}
