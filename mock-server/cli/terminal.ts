import { styleText } from 'node:util';

const EXIT_ON_SECOND_SIGNAL = 130;

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

export type Paint = (style: Style, text: string) => string;

/** Where a command writes. */
export interface Terminal {
  /** The result, one line per call. */
  out(line: string): void;
  /** Progress, logs and errors. */
  err(line: string): void;
  /** Colors text for `out`; plain if that is not a terminal, or under NO_COLOR. */
  readonly paint: Paint;
  /** Colors text for `err`. */
  readonly paintErr: Paint;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

function painter(stream: Stream, env: Terminal['env']): Paint {
  const wanted = env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : stream.isTTY === true;
  const colored = wanted && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return colored
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text;
}

export function createTerminal(
  streams: { readonly stdout: Stream; readonly stderr: Stream },
  env: Terminal['env'],
): Terminal {
  return {
    out: (line) => void streams.stdout.write(`${line}\n`),
    err: (line) => void streams.stderr.write(`${line}\n`),
    paint: painter(streams.stdout, env),
    paintErr: painter(streams.stderr, env),
    env,
  };
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
