import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { SeedPath } from '../../control/seed/seed-data.ts';
import type { MockServerOptions } from '../../index.ts';
import { announce, announceJson } from '../announce.ts';
import { defineCommand } from '../command.ts';
import { writeEnvFile } from '../env-file.ts';
import { createErrorLog } from '../error-log.ts';
import { attachLog } from '../log.ts';
import { openStore } from '../open-store.ts';
import type { SeedFile } from '../seed-file.ts';
import { stopSignal, type Terminal } from '../terminal.ts';
import { UsageError } from '../values.ts';
import { type MockFlags, mockFlags } from './mock-flags.ts';

/** How long requests in flight have to finish after `SIGTERM`. */
export const STOP_MS = 4500;

/** What `createMockServer` reports about a mistake in `seedData`. */
interface SeedError {
  readonly code: unknown;
  readonly seedPath: SeedPath;
  readonly problem: string;
}

export const mock = defineCommand({
  description: 'Start the reference server.',
  flags: mockFlags,
  examples: [
    'contentgen mock',
    'contentgen mock --write-env .env',
    'contentgen mock --data ./contentgen.db --port 8080',
    'contentgen mock --seed-file ./seed.yaml',
    'contentgen mock --port 0 --json --log none',
    'contentgen mock --host 0.0.0.0 --control-token "$TOKEN"',
    'contentgen mock --host 0.0.0.0 --expose-control=mock --allow-private',
  ],
  async run({ flags: values }, terminal) {
    const seedFile = values['seed-file'] === undefined ? undefined : await openSeedFile(values);
    const options = {
      ...optionsOf(values),
      ...(seedFile && { seedData: seedFile.data }),
    };
    const opened = await openStore(values);
    const store = opened && { store: opened.store };
    try {
      await serveUntilStopped({ ...options, ...store }, values, terminal);
      return 0;
    } catch (error) {
      throw usageErrorOf(error, seedFile);
    } finally {
      await opened?.close();
    }
  },
});

async function openSeedFile({ 'seed-file': file = '' }: MockFlags): Promise<SeedFile> {
  const { readSeedFile } = await import('../seed-file.ts');
  return readSeedFile(file);
}

/** A mistake in the options comes from the command line or the seed file. */
function usageErrorOf(error: unknown, seedFile: SeedFile | undefined): unknown {
  const { code, message, seedPath, problem } = error as Error & Partial<SeedError>;
  if (code !== 'validation_failed') return error;
  return seedFile && seedPath
    ? seedFile.errorAt(seedPath, problem ?? message)
    : new UsageError(message);
}

function optionsOf(values: MockFlags): MockServerOptions {
  const { seed, quota, models } = values;
  const adminKey = values['admin-key'];
  return {
    clock: values.clock,
    strictHttps: values['strict-https'],
    allowPrivate: values['allow-private'],
    network: true,
    ...startOf(values),
    ...(values['processing-time'] === undefined
      ? {}
      : { processingTime: values['processing-time'] }),
    ...(seed === undefined ? {} : { seed }),
    ...(quota === undefined ? {} : { quota }),
    ...(models === undefined ? {} : { models }),
    ...(values['rate-limit'] ? { rateLimit: values['rate-limit'] } : {}),
    ...(adminKey ? { adminKey } : {}),
    ...(values.deployment ? { deployment: values.deployment } : {}),
    ...(values.examples ? { examples: true } : {}),
    ...(values.retention ? { retention: values.retention } : {}),
    logBodies: values['log-bodies'] === 'true',
    ...(values.ca === undefined ? {} : { ca: readCertificates(values.ca) }),
  };
}

/** A receiver in another process checks signatures against its own clock, so a manual clock starts at the present. */
function startOf({ clock, start }: MockFlags): { start?: string } {
  if (clock === 'manual') return { start: start ?? 'now' };
  if (start !== undefined) throw new UsageError('--start needs --clock manual.');
  return {};
}

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`Failed to read ${path} (${code}). Pass --ca a readable PEM file.`);
  }
}

async function serveUntilStopped(
  options: MockServerOptions,
  values: MockFlags,
  terminal: Terminal,
): Promise<void> {
  const { host, log, json, data } = values;
  const [{ createMockServer }, { serve }, { listeningUrl }] = await Promise.all([
    import('../../index.ts'),
    import('../../http/serve.ts'),
    import('../../http/listen.ts'),
  ]);
  const port = values.port || (await explained(freePort(host), host, values.port));
  const server = createMockServer({
    ...options,
    baseUrl: values['public-url'] ?? listeningUrl(host, port),
    onError: createErrorLog(log, terminal, () => server.flushed()),
  });
  const serving = serve(server, {
    host,
    port,
    exposeControl: values['expose-control'],
    ...(values['control-token'] ? { controlToken: values['control-token'] } : {}),
    strictHttps: values['strict-https'],
  });
  const served = await explained(serving, host, port);
  attachLog(server, log, terminal);
  const stopped = stopSignal();
  await server.flushed();
  const { 'seed-file': seedFile, 'write-env': envFile } = values;
  if (envFile) writeEnvFile(envFile, server, served.url);
  (json ? announceJson : announce)({ mock: server, served, data, seedFile, envFile }, terminal);
  await stopped;
  if (!json) terminal.out(terminal.paint('dim', 'Stopping.'));
  // Anything that still hangs after this must not keep the process alive.
  setTimeout(() => process.exit(0), STOP_MS + 300).unref();
  await served.close({ graceMs: STOP_MS });
  await server.close();
}

/** The port is needed before the server exists, because tokens contain the server's URL. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function explained<T>(listening: Promise<T>, host: string, port: number): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new UsageError(`Port ${port} is in use on ${host}. Choose another with --port.`);
    }
    if (code === 'EACCES') {
      throw new UsageError(
        `Not allowed to listen on port ${port} of ${host}. Choose a port above 1023 with --port.`,
      );
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new UsageError(`This machine has no address ${host}. Choose another with --host.`);
    }
    throw error;
  }
}
