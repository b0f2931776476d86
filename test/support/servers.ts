import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';
import { locate } from './needs.ts';

/** A temporary server for a test file: start it in `beforeAll`, `await stop()` in `afterAll`. */
export interface ThrowAwayServer {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts an empty Redis in memory on a free loopback port. */
export async function withRedis(): Promise<ThrowAwayServer> {
  const binary = required('redis');
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  await ready(child, 'Ready to accept connections', folder);
  return server(child, `redis://127.0.0.1:${port}`, port, 'SIGKILL', folder);
}

/** Starts an empty PostgreSQL cluster (user `postgres`, no password) on a free loopback port. */
export async function withPostgres(): Promise<ThrowAwayServer> {
  const binary = required('postgres');
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-postgres-'));
  const identity = unprivileged(folder);
  const options = { ...identity, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  const data = join(folder, 'data');
  const settings = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8'];
  execFileSync(join(dirname(binary), 'initdb'), settings, { ...options, stdio: 'ignore' });
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
  const child = spawn(binary, [...args, '-c', 'fsync=off'], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await ready(child, 'ready to accept connections', folder);
  return server(child, `postgres://postgres@127.0.0.1:${port}/postgres`, port, 'SIGQUIT', folder);
}

function required(need: 'redis' | 'postgres'): string {
  const binary = locate(need);
  if (!binary) throw new Error(`${need} is not installed. Guard the test with needs('${need}').`);
  return binary;
}

/** PostgreSQL refuses to run as root, so root runs it as the `postgres` user that the package created. */
function unprivileged(folder: string): Pick<SpawnOptions, 'uid' | 'gid'> {
  if (process.getuid?.() !== 0) return {};
  const uid = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
  const gid = Number(execFileSync('id', ['-g', 'postgres'], { encoding: 'utf8' }));
  chownSync(folder, uid, gid);
  return { uid, gid };
}

function server(
  child: ChildProcess,
  url: string,
  port: number,
  signal: NodeJS.Signals,
  folder: string,
): ThrowAwayServer {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const abandon = () => child.kill(signal);
  process.once('exit', abandon);
  return {
    url,
    port,
    async stop() {
      process.off('exit', abandon);
      child.kill(signal);
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ready(child: ChildProcess, line: string, folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(line)) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => {
      rmSync(folder, { recursive: true, force: true });
      reject(new Error(`The server exited with ${code}: ${output}`));
    });
  });
}
