import { createServer } from 'node:net';
import { internalsOf } from '../../composition/internals.ts';
import { defined } from '../../domain/options.ts';
import type { MockServerOptions } from '../../index.ts';
import { announce, announceJson } from '../announce.ts';
import { defineCommand } from '../command.ts';
import { writeEnvFile } from '../env-file.ts';
import { attachLog, logError } from '../log.ts';
import { type OpenStore, openStore } from '../open-store.ts';
import { stopSignal, type Terminal } from '../terminal.ts';
import { readText, UsageError } from '../values.ts';
import { type MockFlags, mockFlags } from './mock-flags.ts';

/** How long requests in flight have to finish after `SIGTERM`. */
export const STOP_MS = 4500;

export const mock = defineCommand({
  description: 'Start the reference server.',
  flags: mockFlags,
  examples: [
    'contentgen mock',
    'contentgen mock --write-env .env',
    'contentgen mock --data ./contentgen.db --port 8080',
    'contentgen mock --snapshot ./state.json',
    'contentgen mock --port 0 --json --log none',
    'contentgen mock --host 0.0.0.0 --control-token "$TOKEN"',
    'contentgen mock --host 0.0.0.0 --allow-network 172.16.0.0/12',
  ],
  async run({ flags: values }, terminal) {
    const options = optionsOf(values);
    const warn = (sentence: string) => terminal.err(`contentgen mock: ${sentence}`);
    const opened = await openStore(values, warn);
    try {
      await serveUntilStopped(options, opened, values, terminal);
      return 0;
    } catch (error) {
      throw usageErrorOf(error);
    } finally {
      opened.close();
    }
  },
});

/** A mistake in the options comes from the command line. */
function usageErrorOf(error: unknown): unknown {
  const { code, message } = error as Error & { readonly code?: unknown };
  return code === 'validation_failed' ? new UsageError(message) : error;
}

function optionsOf(values: MockFlags): MockServerOptions {
  const { seed, quota, models, clock, deployment, retention } = values;
  const ca = values.ca && readText(values.ca, 'Pass --ca a readable PEM file.');
  return defined({
    ...{ clock, seed, quota, models, deployment },
    rateLimit: values['rate-limit'],
    adminKey: values['admin-key'],
    retention: retention === undefined ? undefined : { count: retention },
    logBodies: values['log-bodies'] === 'true',
    deliveries: defined({
      network: true,
      strictHttps: values['strict-https'],
      allowPrivate: values['allow-private'] || (values['allow-network'] ?? false),
      ca,
    }),
  });
}

/**
 * A receiver in another process checks signatures against its own clock, so a manual clock starts at the present, unless
 * the records are those of a snapshot.
 */
function startOf({ clock }: MockFlags, { snapshot }: OpenStore): Pick<MockServerOptions, 'start'> {
  if (clock !== 'manual') return {};
  return { start: snapshot?.used ? snapshot.snapshot.now : 'now' };
}

async function serveUntilStopped(
  options: MockServerOptions,
  opened: OpenStore,
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
    ...startOf(values, opened),
    store: opened.store,
    baseUrl: values['public-url'] ?? listeningUrl(host, port),
    onError: (error) => logError(error, terminal),
    onWarning: (sentence) => terminal.err(`contentgen mock: ${sentence}`),
  });
  const serving = serve(server, {
    host,
    port,
    ...(values['control-token'] ? { controlToken: values['control-token'] } : {}),
  });
  const served = await explained(serving, host, port);
  if (log === 'text') attachLog(server, terminal);
  const stopped = stopSignal();
  try {
    await internalsOf(server).flushed();
    const { 'write-env': envFile, 'control-token': controlToken } = values;
    const { snapshot } = opened;
    const { url } = served;
    const doubt = envFile && writeEnvFile(envFile, { mock: server, url, controlToken });
    if (doubt) terminal.err(`contentgen mock: ${doubt}`);
    (json ? announceJson : announce)({ mock: server, served, data, snapshot, envFile }, terminal);
    await stopped;
    if (!json) terminal.out(terminal.paint('dim', 'Stopping.'));
    // Anything that still hangs after this must not keep the process alive.
    setTimeout(() => process.exit(0), STOP_MS + 300).unref();
  } finally {
    // Without this, a file that cannot be written would leave a server that listens.
    await served.close({ graceMs: STOP_MS });
    await server.close();
  }
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
