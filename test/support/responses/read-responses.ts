import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResponseRecord, TappedResponse } from './verdict.ts';

type Line =
  | ResponseRecord
  | { readonly id: number; readonly chunk: string }
  | { readonly id: number; readonly end: true };

/** The last line of a program that was killed while writing is incomplete. */
const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Every response that the programs of a run kept in a folder; of a stream, the part that was read. */
export function* readResponses(folder: string): Generator<TappedResponse> {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.jsonl'))) {
    const streams = new Map<number, { head: ResponseRecord; text: string; ended: boolean }>();
    for (const line of linesOf(readFileSync(join(folder, name), 'utf8'))) {
      const stream = streams.get(line.id);
      if ('status' in line) {
        if (line.stream) streams.set(line.id, { head: line, text: '', ended: false });
        else yield { ...line, ended: true };
      } else if (stream && 'chunk' in line) stream.text += line.chunk;
      else if (stream) stream.ended = true;
    }
    for (const { head, text, ended } of streams.values()) yield { ...head, body: text, ended };
  }
}
