import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';
import { locate } from './needs.ts';

/** A temporary server for a test file: start it in `beforeAll`, `await stop()` in `afterAll`. */
export interface ThrowAwayServer {
  readonly url: string;
  readonly port: number;
  /** Ends the server, by default without warning. Its data is kept. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again after `end()`, on the same port and data, unless it runs. */
  start(): Promise<void>;
  /** Ends the server and deletes its data. */
  stop(): Promise<void>;
}

/** Starts an empty Redis on a free loopback port, in memory unless `settings` turn persistence on. */
export async function withRedis(settings: readonly string[] = []): Promise<ThrowAwayServer> {
  const command = required('redis');
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-redis-'));
  const port = await freePort();
  const basic = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  return server({
    command,
    args: [...basic, ...settings],
    options: {},
    line: 'Ready to accept connections',
    folder,
    signal: 'SIGKILL',
    url: `redis://127.0.0.1:${port}`,
    port,
  });
}

/** A PostgreSQL cluster that can hold several databases. */
export interface ThrowAwayPostgres extends ThrowAwayServer {
  /** Holds its data, and belongs to its user. */
  readonly folder: string;
  /** The URL of a new, empty database. */
  database(name: string): string;
}

/** Starts an empty PostgreSQL cluster (user `postgres`, no password) on a free loopback port, by default without fsync. */
export async function withPostgres(
  settings: readonly string[] = ['fsync=off'],
): Promise<ThrowAwayPostgres> {
  const command = required('postgres');
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-postgres-'));
  const identity = unprivileged(folder);
  const options = { ...identity, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  const data = join(folder, 'data');
  execFileSync('cp', ['-a', emptyCluster(command), data], { ...options, stdio: 'ignore' });
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
  const running = await server({
    command,
    args: [...args, ...settings.flatMap((setting) => ['-c', setting])],
    options,
    line: 'ready to accept connections',
    folder,
    // Ends at once, like a crash, but without leaving backends behind.
    signal: 'SIGQUIT',
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
  });
  return {
    ...running,
    folder,
    database(name) {
      const psql = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', name];
      execFileSync(join(dirname(command), 'createdb'), psql, { ...options, stdio: 'ignore' });
      return `postgres://postgres@127.0.0.1:${port}/${name}`;
    },
  };
}

/** The data of a new cluster. `initdb` makes it once per test run, or once per process outside a test run. */
function emptyCluster(command: string): string {
  cluster ??= join(process.env['CONTENTGEN_TEMPLATES'] ?? ownTemplates(), 'postgres');
  const data = join(cluster, 'data');
  if (existsSync(data)) return data;
  const folder = mkdtempSync(`${cluster}-`);
  const form = ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust'];
  execFileSync(join(dirname(command), 'initdb'), [...form, '--no-sync', '-E', 'UTF8'], {
    ...unprivileged(folder),
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: 'ignore',
  });
  try {
    renameSync(folder, cluster);
  } catch (error) {
    // Another worker was faster.
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(data)) throw error;
  }
  return data;
}

let cluster: string | undefined;

function ownTemplates(): string {
  const folder = makeTemplates();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for templates, which the PostgreSQL user can read. */
export function makeTemplates(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-templates-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Starts PgBouncer, in session mode, in front of a PostgreSQL on the loopback. */
export async function withPgBouncer(postgresPort: number): Promise<ThrowAwayServer> {
  const command = required('pgbouncer');
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `postgres = host=127.0.0.1 port=${postgresPort} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = session',
    'server_login_retry = 1',
  ];
  writeFileSync(file, settings.join('\n'));
  return server({
    command,
    args: [file],
    options: unprivileged(folder),
    line: 'process up',
    folder,
    signal: 'SIGKILL',
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
  });
}

function required(need: 'redis' | 'postgres' | 'pgbouncer'): string {
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

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
  /** What the program prints when it accepts connections. */
  readonly line: string;
  readonly folder: string;
  readonly signal: NodeJS.Signals;
  readonly url: string;
  readonly port: number;
}

async function server(launch: Launch): Promise<ThrowAwayServer> {
  const { command, args, options, line, folder, signal, url, port } = launch;
  let child: ChildProcess | undefined;
  const abandon = () => child?.kill(signal);
  const isRunning = () => child && child.exitCode === null && child.signalCode === null;
  const start = async () => {
    if (isRunning()) return;
    child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    await ready(child, line);
  };
  const end = async (by: NodeJS.Signals = signal) => {
    if (!isRunning()) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill(by);
    await ended;
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', abandon);
  await start().catch((error) => {
    remove();
    throw error;
  });
  return {
    url,
    port,
    start,
    end,
    async stop() {
      process.off('exit', abandon);
      await end();
      remove();
    },
  };
}

function ready(child: ChildProcess, line: string): Promise<void> {
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
      reject(new Error(`The server exited with ${code}: ${output}`));
    });
  });
}
