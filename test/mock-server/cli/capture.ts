import { createTerminal } from '../../../mock-server/cli/terminal.ts';

/** A terminal, and everything that was written to it. */
export function capture(env: Record<string, string> = {}, isTTY = false) {
  let written = '';
  const stream = {
    isTTY,
    write(text: string) {
      written += text;
    },
  };
  const terminal = createTerminal({ stdout: stream, stderr: stream }, env);
  return { terminal, written: () => written };
}
