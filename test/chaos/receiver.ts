import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signWebhook } from 'contentgen/webhooks';
import type { ConnectOptions } from './clients.ts';

const script = fileURLToPath(new URL('receiver-process.ts', import.meta.url));
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export interface ReceiverOptions extends ConnectOptions {
  readonly secret: string;
  /** The file with one line per effect. */
  readonly ledger: string;
  /** The effect is a row, committed together with the done mark. */
  readonly commits: boolean;
  /** Deliveries pause at the moment that their id names. */
  readonly stops: boolean;
}

export interface FromReceiver {
  readonly port?: number;
  readonly at?: string;
}

/** A receiver in a separate process. */
export interface Receiver {
  readonly url: string;
  /** Resolves when the delivery has paused at its moment. */
  reached(id: string): Promise<void>;
  /** Resumes every paused delivery. */
  go(): void;
  isAlive(): boolean;
  output(): string;
  kill(): Promise<void>;
}

export async function startReceiver(options: Omit<ReceiverOptions, 'secret'>): Promise<Receiver> {
  const child = fork(script, [JSON.stringify({ ...options, secret })], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  const messages: FromReceiver[] = [];
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  child.on('message', (message: FromReceiver) => {
    messages.push(message);
    notify();
  });
  child.on('exit', notify);
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const received = <T>(read: (message: FromReceiver) => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const look = () => {
        const found = messages.map(read).find((value) => value !== undefined);
        if (found === undefined && isAlive()) return;
        listeners.delete(look);
        if (found === undefined) reject(new Error(`The receiver ended: ${output}`));
        else resolve(found);
      };
      listeners.add(look);
      look();
    });
  const port = await received((message) => message.port);
  return {
    url: `http://127.0.0.1:${port}`,
    reached: async (id) => void (await received(({ at }) => (at === id ? true : undefined))),
    go: () => void child.send('go'),
    isAlive,
    output: () => output,
    async kill() {
      if (!isAlive()) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** One attempt: its status, 0 if the connection was lost, and how long it took. */
export interface Attempt {
  readonly status: number;
  readonly startedAt: number;
  readonly ms: number;
}

async function attempt(url: string, id: string): Promise<Attempt> {
  const body = JSON.stringify({ event: 'usage_threshold', id });
  const headers = await signWebhook({ id, body, secret });
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(15_000);
  const status = await fetch(url, { method: 'POST', body, headers, signal }).then(
    (response) => response.status,
    () => 0,
  );
  return { status, startedAt, ms: performance.now() - startedAt };
}

/** Sends a delivery until it is accepted, like the service, but without its long waits. */
export async function deliver(
  url: () => string,
  id: string,
  onAttempt?: () => void,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  const end = performance.now() + 40_000;
  while (performance.now() < end) {
    const last = await attempt(url(), id);
    attempts.push(last);
    onAttempt?.();
    if (last.status === 200) return attempts;
    await delay(200);
  }
  throw new Error(`${id} was never accepted: ${attempts.map(({ status }) => status).join(' ')}`);
}
