import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signWebhook } from 'contentgen/webhooks';
import { secret } from './support.ts';

const script = fileURLToPath(new URL('./receiver-process.ts', import.meta.url));

/** A receiver in a separate process. */
export interface ReceiverProcess {
  readonly url: string;
  readonly pid: number;
  /** Ends it without giving it time to clean up. */
  kill(): Promise<void>;
}

export async function startReceiver(store: string, mode = ''): Promise<ReceiverProcess> {
  const child = spawn(process.execPath, ['--no-warnings', script, store, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await listening(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      const port = /port (\d+)/.exec(String(chunk))?.[1];
      if (port) resolve(port);
    });
    child.once('exit', (code) =>
      reject(new Error(`Failed to start the receiver: it exited with ${code}.`)),
    );
  });
}

/** Sends one delivery repeatedly to any of `urls` until it is acknowledged. */
export async function deliverUntilDone(
  urls: () => readonly string[],
  id: string,
  payload: object,
): Promise<void> {
  const body = JSON.stringify(payload);
  for (let attempt = 0; attempt < 600; attempt++) {
    const targets = urls();
    const target = targets[attempt % targets.length] as string;
    const headers = await signWebhook({ id, body, secret });
    const response = await fetch(target, {
      method: 'POST',
      body,
      headers,
      signal: AbortSignal.timeout(2000),
    }).catch(() => undefined);
    if (response?.ok) return;
    await delay(40);
  }
  throw new Error(`Failed to deliver ${id}: it was never acknowledged.`);
}
