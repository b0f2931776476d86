import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SignatureVector, SignatureVerifier } from '../../src/testing/index.ts';
import { parseJson } from '../domain/options.ts';
import { CommandError } from './connection.ts';

const ANSWER_MS = 30_000;

/** A verifier in another process: one line of JSON for each delivery, one for each verdict. */
export interface VerifierProcess {
  readonly verify: SignatureVerifier;
  /** Ends the process. @throws CommandError if it did not answer every delivery */
  close(): void;
}

export function startVerifier(command: string): VerifierProcess {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (valid: boolean | null) => void>();
  let problem: string | undefined;
  const fail = (what: string) => {
    problem ??= what;
    for (const resolve of waiting.values()) resolve(false);
    waiting.clear();
  };
  child.on('error', ({ message }) => fail(message));
  child.stdin.on('error', () => {});
  child.on('exit', (code, signal) => fail(`it ended (${signal ?? `exit code ${code}`})`));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, valid } = Object(parseJson(line));
    const resolve = waiting.get(id);
    if (!resolve || (valid !== null && typeof valid !== 'boolean'))
      return fail(`it wrote '${line.slice(0, 80)}' in place of {"id":1,"valid":true}`);
    waiting.delete(id);
    resolve(valid);
  });
  return {
    verify({ id, secret, now, headers, bodyBase64 }: SignatureVector) {
      if (problem !== undefined) return false;
      return new Promise((resolve) => {
        const timer = setTimeout(() => fail('it did not answer within 30 s'), ANSWER_MS);
        waiting.set(id, (valid) => {
          clearTimeout(timer);
          resolve(valid);
        });
        child.stdin.write(`${JSON.stringify({ id, secret, now, headers, bodyBase64 })}\n`);
      });
    },
    close() {
      const found = problem;
      problem ??= 'closed';
      child.stdin.end();
      child.kill();
      if (found !== undefined) throw new CommandError(`Failed to audit the verifier: ${found}.`);
    },
  };
}
