import { createServer } from 'node:net';
import type { ServedMock, SqliteStore } from '../../http/serve.ts';
import type { MockServer, MockServerOptions } from '../../index.ts';
import { attachLog, type LogFormat, logError } from '../log.ts';
import type { Terminal } from '../terminal.ts';
import { integerOf, readArguments, UsageError, urlOf } from '../usage.ts';
import { packageVersion } from '../version.ts';

const STOP_MS = 4500;
const EXIT_ON_SECOND_SIGNAL = 130;

const OPTIONS = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  data: { type: 'string' },
  fsync: { type: 'boolean', default: false },
  seed: { type: 'string' },
  clock: { type: 'string', default: 'real' },
  quota: { type: 'string' },
  models: { type: 'string' },
  'rate-limit': { type: 'string' },
  'admin-key': { type: 'string' },
  'generator-url': { type: 'string' },
  'generator-model': { type: 'string' },
  'strict-https': { type: 'boolean', default: false },
  'allow-private': { type: 'boolean', default: false },
  'expose-control': { type: 'boolean', default: false },
  'control-hosts': { type: 'string' },
  log: { type: 'string', default: 'text' },
  json: { type: 'boolean', default: false },
} as const;

function read(argv: readonly string[]) {
  // parseArgs knows no option whose value is optional.
  const plain = argv.flatMap((argument) =>
    argument.startsWith('--expose-control=')
      ? ['--expose-control', `--control-hosts=${argument.slice('--expose-control='.length)}`]
      : [argument],
  );
  return readArguments(plain, OPTIONS).values;
}

type Values = ReturnType<typeof read>;

function rateLimitOf(text: string): { limit: number; windowSeconds: number } {
  const [limit = '', window, ...rest] = text.split('/');
  if (window === undefined || rest.length > 0) {
    throw new UsageError("--rate-limit must be N/S, for instance '100/60'.");
  }
  return {
    limit: integerOf('--rate-limit', limit, 1, 1e9),
    windowSeconds: integerOf('--rate-limit', window, 1, 86_400),
  };
}

function oneOf<const T extends string>(flag: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (!found) throw new UsageError(`${flag} must be ${allowed.join(', ')}, not '${text}'.`);
  return found;
}

const names = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

async function optionsOf(values: Values, terminal: Terminal): Promise<MockServerOptions> {
  const most = Number.MAX_SAFE_INTEGER;
  const adminKey = values['admin-key'] ?? terminal.env['CONTENTGEN_ADMIN_KEY'];
  const generator = values['generator-url'];
  if (values['generator-model'] !== undefined && generator === undefined) {
    throw new UsageError('--generator-model needs --generator-url.');
  }
  return {
    clock: oneOf('--clock', values.clock, ['real', 'manual']),
    strictHttps: values['strict-https'],
    allowPrivate: values['allow-private'],
    ...(values.seed === undefined ? {} : { seed: integerOf('--seed', values.seed, 0, most) }),
    ...(values.quota === undefined ? {} : { quota: integerOf('--quota', values.quota, 0, most) }),
    ...(values.models === undefined ? {} : { models: names(values.models) }),
    ...(values['rate-limit'] ? { rateLimit: rateLimitOf(values['rate-limit']) } : {}),
    ...(adminKey ? { adminKey } : {}),
    ...(generator ? { generator: await generatorOf(generator, values, terminal) } : {}),
  };
}

async function generatorOf(url: string, values: Values, terminal: Terminal) {
  const { openAICompatible } = await import('../../index.ts');
  const apiKey = terminal.env['CONTENTGEN_GENERATOR_KEY'];
  return openAICompatible({
    baseUrl: urlOf('--generator-url', url).href.replace(/\/$/, ''),
    model: values['generator-model'] ?? 'default',
    ...(apiKey ? { apiKey } : {}),
  });
}

/** Asked for before the server is made, because tokens name the server's URL. */
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

function listenFailure(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new UsageError(`Port ${port} is in use on ${host}. Choose another with --port.`);
  }
  if (code === 'EACCES') return new UsageError(`Port ${port} on ${host} is not allowed to you.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new UsageError(`This machine has no address ${host}. Choose another with --host.`);
  }
  return error;
}

async function openStore(values: Values): Promise<SqliteStore | undefined> {
  if (values.data === undefined) {
    if (values.fsync) throw new UsageError('--fsync needs --data.');
    return undefined;
  }
  const { sqliteStore, DataFileError } = await import('../../http/serve.ts');
  try {
    return sqliteStore(values.data, { fsync: values.fsync });
  } catch (error) {
    throw error instanceof DataFileError ? new UsageError(error.message) : error;
  }
}

interface Started {
  readonly mock: MockServer;
  readonly served: ServedMock;
}

const KEPT_KEYS = 'as printed at first start (contentgen keys create --admin makes a new one)';

function announce({ mock, served }: Started, values: Values, terminal: Terminal): void {
  const { url } = served;
  const adminKey = mock.adminKey || null;
  const memberKey = mock.memberKey || null;
  const { signingSecret, organization } = mock;
  if (values.json) {
    const kept = mock.resumed ? { keys: KEPT_KEYS } : {};
    const line = { url, dashboard: `${url}/`, adminKey, memberKey, signingSecret, organization };
    terminal.out(JSON.stringify({ ...line, pid: process.pid, ...kept }));
    return;
  }
  const { paint } = terminal;
  const row = (name: string, value: string) =>
    terminal.out(`  ${paint('dim', name.padEnd(16))}${value}`);
  terminal.out(`\n${paint('bold', 'contentgen mock')} ${packageVersion()}\n`);
  row('API', `${paint('cyan', url)}  (also under /v2)`);
  row('Dashboard', paint('cyan', `${url}/`));
  row('Reference', paint('cyan', `${url}/reference`));
  terminal.out('');
  if (mock.resumed) row('Keys', KEPT_KEYS);
  if (adminKey) row('Admin key', adminKey);
  if (memberKey) row('Member key', memberKey);
  row('Signing secret', signingSecret);
  row('Data', values.data ?? 'in memory, gone when it stops (--data FILE keeps it)');
  if (adminKey) {
    terminal.out('');
    terminal.out(paint('dim', `  curl ${url}/api/ai/content/generate \\`));
    terminal.out(paint('dim', `    -H 'X-API-Key: ${memberKey ?? adminKey}' \\`));
    terminal.out(paint('dim', `    -H 'Content-Type: application/json' -d '{"prompt":"A haiku"}'`));
  }
  terminal.out('');
}

/** Settles with the first signal to stop; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const onSignal = () => {
      if (stopping) process.exit(EXIT_ON_SECOND_SIGNAL);
      stopping = true;
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

/** `contentgen mock`: serves until it is told to stop. */
export async function mock(argv: readonly string[], terminal: Terminal): Promise<number> {
  const values = read(argv);
  const format = oneOf<LogFormat>('--log', values.log, ['text', 'json', 'none']);
  const asked = integerOf('--port', values.port, 0, 65_535);
  const options = await optionsOf(values, terminal);
  const store = await openStore(values);
  try {
    const { host } = values;
    const [{ createMockServer }, { serve }, { listeningUrl }] = await Promise.all([
      import('../../index.ts'),
      import('../../http/serve.ts'),
      import('../../http/listening-url.ts'),
    ]);
    const port =
      asked ||
      (await freePort(host).catch((error: unknown) => {
        throw listenFailure(error, host, asked);
      }));
    const server = createMockServer({
      ...options,
      baseUrl: listeningUrl(host, port),
      ...(store ? { store } : {}),
      onError: (error) => logError(error, format, terminal),
    });
    const hosts = values['control-hosts'] === undefined ? [] : names(values['control-hosts']);
    const exposeControl = values['expose-control'] && (hosts.length > 0 ? hosts : true);
    const served = await serve(server, {
      host,
      port,
      exposeControl,
      strictHttps: values['strict-https'],
    }).catch((error: unknown) => {
      throw listenFailure(error, host, port);
    });
    attachLog(server, format, terminal);
    const stopped = stopSignal();
    await server.flushed();
    announce({ mock: server, served }, values, terminal);
    await stopped;
    if (!values.json) terminal.out(terminal.paint('dim', 'Stopping.'));
    // Whatever still hangs after this would keep the process from ending in time.
    setTimeout(() => process.exit(0), STOP_MS + 300).unref();
    await served.close({ graceMs: STOP_MS });
    await server.close();
    return 0;
  } catch (error) {
    throw (error as { code?: unknown }).code === 'validation_failed'
      ? new UsageError((error as Error).message)
      : error;
  } finally {
    store?.close();
  }
}
