import { run } from './run.ts';
import { createTerminal } from './terminal.ts';

/** Runs the command line of this process; resolves to the exit code. */
export function main(): Promise<number> {
  // The reader of the output is gone (`contentgen mock | head -1`). That is not a failure.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return run(process.argv.slice(2), createTerminal(process, process.env));
}
