import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { MockServerOptions } from '../../index.ts';
import { announce, announceJson } from '../announce.ts';
import { defineCommand } from '../command.ts';
import { type Flag, type FlagValues, option, optionOr, toggle } from '../flags.ts';
import { attachLog, logError, logLeadership } from '../log.ts';
import { openStore } from '../open-store.ts';
import { stopSignal, type Terminal } from '../terminal.ts';
import {
  anyText,
  baseUrl,
  integer,
  names,
  oneOf,
  type Parse,
  UsageError,
  visibleToken,
} from '../values.ts';

const STOP_MS = 4500;
const MAX = Number.MAX_SAFE_INTEGER;

const rateLimit: Parse<{ limit: number; windowSeconds: number }> = (text, name) => {
  const [limit = '', window, ...rest] = text.split('/');
  if (window === undefined || rest.length > 0) {
    throw new UsageError(`${name} must be N/S, for example 100/60, not '${text}'.`);
  }
  return {
    limit: integer(1, 1e9)(limit, name),
    windowSeconds: integer(1, 86_400)(window, name),
  };
};

const processingTime: Parse<number | { min: number; max: number }> = (text, name) => {
  const [min = '', max, ...rest] = text.split('-');
  if (rest.length > 0) {
    throw new UsageError(
      `${name} must be MS or MIN-MAX, for example 0 or 300-1500, not '${text}'.`,
    );
  }
  const milliseconds = integer(0, 3_600_000);
  if (max === undefined) return milliseconds(min, name);
  return { min: milliseconds(min, name), max: milliseconds(max, name) };
};

const exposeControl: Flag<boolean | readonly string[]> = {
  sentence: 'Open control API and dashboard to other machines, by IP, localhost or these names',
  argument: 'HOST,...',
  optionalArgument: true,
  read(given) {
    const hosts = given.flatMap((text) => (text === undefined ? [] : names(text, '')));
    return hosts.length > 0 ? hosts : given.length > 0;
  },
};

const flags = {
  port: optionOr('4010', 'N', 'Port to listen on; 0 picks a free one', integer(0, 65_535)),
  host: optionOr('127.0.0.1', 'HOST', 'Address to listen on', anyText),
  data: option('FILE|URL', 'Keep all data in a file, or in PostgreSQL', anyText, {
    shownDefault: 'in memory',
    env: 'CONTENTGEN_DATA',
  }),
  fsync: toggle('With --data: survive a power failure too; slower'),
  seed: option('N', 'Make ids, keys, texts and times reproducible', integer(0, MAX)),
  clock: optionOr(
    'real',
    'real|manual',
    'A manual clock moves only through the control API',
    oneOf(['real', 'manual']),
  ),
  start: option(
    'TIME',
    'With --clock manual: where it starts, such as 2026-02-01T00:00:00Z',
    anyText,
    {
      shownDefault: 'now',
    },
  ),
  'processing-time': option('MS|MIN-MAX', 'Milliseconds that a generation takes', processingTime, {
    shownDefault: '300-1500, 0 with --clock manual',
  }),
  quota: option('N', 'Tokens per month of the organization', integer(0, MAX), {
    shownDefault: '1000000',
  }),
  models: option('A,B', 'Additional model names', names),
  'rate-limit': option('N/S', 'Allow N requests per S seconds and credential', rateLimit),
  'admin-key': option('KEY', 'Import this admin key', anyText, { env: 'CONTENTGEN_ADMIN_KEY' }),
  'generator-url': option('URL', 'Generate texts with this OpenAI-compatible endpoint', baseUrl),
  'generator-model': option(
    'NAME',
    'With --generator-url: its model; CONTENTGEN_GENERATOR_KEY holds its key',
    anyText,
  ),
  'strict-https': toggle('Reject http callback URLs on loopback too'),
  'allow-private': toggle('Deliver to private addresses, over http too'),
  ca: option('FILE', 'Trust the certificate authorities in this PEM file too', anyText),
  'expose-control': exposeControl,
  'control-token': option('TOKEN', 'Open both to callers with this token', visibleToken, {
    env: 'CONTENTGEN_CONTROL_TOKEN',
  }),
  'max-universes': option('N', 'Universes side by side at most', integer(0, 1e6), {
    shownDefault: '2000',
  }),
  'universe-idle': option(
    'SECONDS',
    'End a universe after this long without a request',
    integer(1, 604_800),
    { shownDefault: '600' },
  ),
  'public-url': option('URL', 'Address that clients use', baseUrl),
  advertise: option('URL', 'With PostgreSQL: where others reach this process', baseUrl),
  standby: optionOr(
    'forward',
    'forward|refuse',
    'While another process leads: forward requests, or 503',
    oneOf(['forward', 'refuse']),
  ),
  log: optionOr(
    'text',
    'text|json|none',
    'A line per request and delivery, on standard error',
    oneOf(['text', 'json', 'none']),
  ),
  'log-bodies': optionOr(
    'true',
    'true|false',
    'Keep the bodies of requests, prompts included, in the request log',
    oneOf(['true', 'false']),
  ),
  json: toggle('Print one line of JSON with url, keys and pid'),
};

type Values = FlagValues<typeof flags>;

export const mock = defineCommand({
  description: 'Start the reference server.',
  flags,
  examples: [
    'contentgen mock',
    'contentgen mock --data ./contentgen.db --port 8080',
    'contentgen mock --port 0 --json --log none',
    'contentgen mock --data postgres://localhost/mock --control-token "$TOKEN"',
    'contentgen mock --host 0.0.0.0 --expose-control=mock --allow-private',
  ],
  async run({ flags: values }, terminal) {
    const options = await optionsOf(values, terminal);
    const opened = await openStore(values);
    const store = opened && { store: opened.store };
    try {
      await serveUntilStopped({ ...options, ...store }, values, terminal);
      return 0;
    } catch (error) {
      throw (error as { code?: unknown }).code === 'validation_failed'
        ? new UsageError((error as Error).message)
        : error;
    } finally {
      await opened?.close();
    }
  },
});

async function optionsOf(values: Values, terminal: Terminal): Promise<MockServerOptions> {
  const { seed, quota, models } = values;
  const adminKey = values['admin-key'];
  const generator = values['generator-url'];
  if (values['generator-model'] !== undefined && generator === undefined) {
    throw new UsageError('--generator-model needs --generator-url.');
  }
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
    logBodies: values['log-bodies'] === 'true',
    ...(values.ca === undefined ? {} : { ca: readCertificates(values.ca) }),
    ...(generator ? { generator: await generatorOf(generator, values, terminal) } : {}),
  };
}

/** A receiver in another process checks signatures against its own clock, so a manual clock starts at the present. */
function startOf({ clock, start }: Values): { start?: string } {
  if (clock === 'manual') return { start: start ?? 'now' };
  if (start !== undefined) throw new UsageError('--start needs --clock manual.');
  return {};
}

function universeLimits({ 'max-universes': max, 'universe-idle': idleSeconds }: Values) {
  return {
    ...(max === undefined ? {} : { max }),
    ...(idleSeconds === undefined ? {} : { idleMs: idleSeconds * 1000 }),
  };
}

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`Failed to read ${path} (${code}). Pass --ca a readable PEM file.`);
  }
}

async function generatorOf(url: string, values: Values, terminal: Terminal) {
  const { openAICompatible } = await import('../../index.ts');
  const apiKey = terminal.env['CONTENTGEN_GENERATOR_KEY'];
  return openAICompatible({
    baseUrl: url,
    model: values['generator-model'] ?? 'default',
    ...(apiKey ? { apiKey } : {}),
  });
}

async function serveUntilStopped(
  options: MockServerOptions,
  values: Values,
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
    onError: (error) => logError(error, log, terminal),
  });
  const serving = serve(server, {
    host,
    port,
    exposeControl: values['expose-control'],
    standby: values.standby,
    ...(values['control-token'] ? { controlToken: values['control-token'] } : {}),
    universes: universeLimits(values),
    strictHttps: values['strict-https'],
  });
  const served = await explained(serving, host, port);
  attachLog(server, log, terminal);
  if (!json) logLeadership(server, log, terminal);
  const stopped = stopSignal();
  await server.flushed();
  (json ? announceJson : announce)({ mock: server, served, data }, terminal);
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
