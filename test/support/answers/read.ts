import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, AnswerRecord } from './check.ts';

type Line =
  | AnswerRecord
  | { readonly id: number; readonly chunk: string }
  | { readonly id: number; readonly end: true };

/** A program that was killed while it wrote leaves its last line unfinished. */
const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Every answer that a run's programs kept in a folder; streams with what passed of them. */
export function* readAnswers(folder: string): Generator<Answer> {
  for (const name of readdirSync(folder)) {
    const streams = new Map<number, { head: AnswerRecord; text: string; ended: boolean }>();
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
