import { randomUUID } from 'node:crypto';
import { styleText } from 'node:util';
import { printable } from '../domain/redact.ts';

const EXIT_ON_SECOND_SIGNAL = 130;

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

export type Paint = (style: Style, text: string) => string;

export interface Terminal {
  /** The result, one line per call. */
  out(line: string): void;
  /** Progress, logs and errors. */
  err(line: string): void;
  /** Colors text for `out`; plain if that is not a terminal, or under NO_COLOR. */
  readonly paint: Paint;
  readonly paintErr: Paint;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Colors text, and prints lines. Only colors that come from here reach the terminal: the mark is one that no text from
 * outside can contain.
 */
function createPrinter(stream: Stream, env: Terminal['env']) {
  const wanted = env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : stream.isTTY === true;
  const colored = wanted && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const mark = `\u001b${randomUUID()}`;
  const paint: Paint = colored
    ? (style, text) => `${mark}${style}:${text}${mark}:`
    : (_, text) => text;
  function print(line: string): void {
    const [start = '', ...parts] = line.split(mark);
    const painted = parts.map((part) => {
      const [style = ''] = part.split(':', 1);
      const text = printableLines(part.slice(style.length + 1));
      return style === '' ? text : styleText(style as Style, text, { validateStream: false });
    });
    stream.write(`${printableLines(start)}${painted.join('')}\n`);
  }
  return { paint, print };
}

const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** A value as one line of JSON, which keeps unprintable characters as escapes. */
export const toJsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(/[^ -~]/g, (letter) => {
    const isPrinted = printable(letter) === letter;
    return isPrinted ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** The only writer to the streams of a command: whatever it is given, only printable text reaches them. */
export function createTerminal(
  streams: { readonly stdout: Stream; readonly stderr: Stream },
  env: Terminal['env'],
): Terminal {
  const [out, err] = [createPrinter(streams.stdout, env), createPrinter(streams.stderr, env)];
  return { out: out.print, err: err.print, paint: out.paint, paintErr: err.paint, env };
}

/** Resolves on the first SIGINT or SIGTERM; a second one ends the process immediately. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const onSignal = () => {
      if (stopping) process.exit(EXIT_ON_SECOND_SIGNAL);
      stopping = true;
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    // npm ends without passing the signal on, so whoever kills `npx` in the background means this process.
    if (process.env['npm_command'] !== 'exec') return;
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      onSignal();
    }, 200).unref();
  });
}
