import { run } from '../../../mock-server/cli/run.ts';
import type { Terminal } from '../../../mock-server/cli/terminal.ts';
import { served as servedMock } from '../control-api/served.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process: fast, for commands that end by themselves. */
export async function invoke(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const [out, err]: [string[], string[]] = [[], []];
  const plain = (_: string, text: string) => text;
  const terminal: Terminal = {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    paint: plain,
    paintErr: plain,
    env,
  };
  const code = await run(args, terminal);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** A server in this process, on a manual clock, with its dashboard. */
export const served = () => servedMock({ dashboard: true });
