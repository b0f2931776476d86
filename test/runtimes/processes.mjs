import { execFile } from 'node:child_process';

/** Runs a program to its end: `{ status, stdout, stderr }`, whatever the status. */
export function runProgram(command, args, { cwd, env = {}, timeout = 120_000 }) {
  const own = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...env };
  const options = { cwd, env: own, timeout, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ status: error ? (error.code ?? error.signal) : 0, stdout, stderr });
    });
  });
}

/** The result that a program printed as its last line. */
export async function resultOf(command, args, options) {
  const { status, stdout, stderr } = await runProgram(command, args, options);
  const last = stdout.trim().split('\n').at(-1) ?? '';
  if (status !== 0 || !last.startsWith('{'))
    throw new Error(`exit ${status}: ${`${stdout}${stderr}`.slice(-4000)}`);
  return JSON.parse(last);
}
