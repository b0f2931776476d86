import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { signWebhook } from 'contentgen/webhooks';

const script = fileURLToPath(new URL('queue-process.ts', import.meta.url));

/** The options of a process in the fleet. */
export interface QueueProcessOptions {
  readonly engine: 'graphile-worker' | 'pg-boss' | 'bullmq';
  readonly role: 'receiver' | 'worker';
  readonly url: string;
  readonly secret: string;
  /** How long a callback takes; by default a few milliseconds, under short leases. */
  readonly callbackMs?: number;
}

/** A process that a supervisor keeps running. */
export interface Supervised {
  /** The address, if the process is a receiver. */
  readonly url: string | undefined;
  /** Kills it without warning; the supervisor starts another. */
  kill(): void;
  stop(): Promise<void>;
}

/** Starts a process, and another whenever it ends. Resolves once the first is ready. */
export async function supervise(options: QueueProcessOptions): Promise<Supervised> {
  let child: ChildProcess | undefined;
  let url: string | undefined;
  let isStopped = false;
  const start = () =>
    new Promise<void>((resolve) => {
      const made = fork(script, [JSON.stringify(options)], {
        execArgv: ['--no-warnings'],
        stdio: ['ignore', 'ignore', process.env['CHAOS_DEBUG'] ? 'inherit' : 'ignore', 'ipc'],
      });
      child = made;
      made.on('message', (message: { port?: number; ready?: true }) => {
        if (message.port) url = `http://127.0.0.1:${message.port}/`;
        if (message.ready) resolve();
      });
      made.once('exit', () => {
        url = undefined;
        if (!isStopped) void start().then(resolve);
        else resolve();
      });
    });
  await start();
  return {
    get url() {
      return url;
    },
    kill: () => void child?.kill('SIGKILL'),
    async stop() {
      isStopped = true;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      if (child?.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
        await ended;
    },
  };
}

/** Sends a delivery to any of `urls` until it is accepted, like the service. Resolves to the longest attempt's ms. */
export async function deliver(
  urls: () => readonly string[],
  id: string,
  secret: string,
): Promise<number> {
  let slowestMs = 0;
  const body = JSON.stringify({ event: 'chaos' });
  for (let attempt = 0; attempt < 2000; attempt++) {
    const targets = urls();
    const target = targets[(attempt + Number(id.slice(4))) % Math.max(1, targets.length)];
    if (target) {
      const headers = await signWebhook({ id, body, secret });
      const signal = AbortSignal.timeout(5000);
      const startedAt = performance.now();
      const response = await fetch(target, { method: 'POST', body, headers, signal }).catch(
        () => undefined,
      );
      await response?.arrayBuffer().catch(() => undefined);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      if (response?.ok) return slowestMs;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${id} was never accepted.`);
}
