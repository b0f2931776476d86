import { internalsOf } from '../composition/internals.ts';
import type { ServedMock } from '../http/serve.ts';
import type { MockServer } from '../index.ts';
import { packageVersion } from './help.ts';
import type { OpenSnapshot } from './open-store.ts';
import { type Terminal, toJsonLine } from './terminal.ts';

/** Those of a server that did not create its own. */
const KEPT_KEYS = 'as before (contentgen keys create --role admin makes a new one)';

interface Started {
  readonly mock: MockServer;
  readonly served: ServedMock;
  readonly data: string | undefined;
  readonly snapshot: OpenSnapshot | undefined;
  readonly envFile?: string | undefined;
}

export function announceJson({ mock, served: { url } }: Started, terminal: Terminal): void {
  const { adminKey, memberKey, signingSecret, organization } = mock;
  const { resumed } = internalsOf(mock);
  const line = {
    url,
    dashboard: `${url}/`,
    adminKey: adminKey || null,
    memberKey: memberKey || null,
    signingSecret,
    organization,
    pid: process.pid,
    ...(resumed ? { keys: KEPT_KEYS } : {}),
  };
  terminal.out(toJsonLine(line));
}

export function announce(
  { mock, served, data, snapshot, envFile }: Started,
  terminal: Terminal,
): void {
  const { adminKey, memberKey, signingSecret } = mock;
  const { resumed, page } = internalsOf(mock);
  const url = mock.baseUrl.replace(/\/v2$/, '');
  const { paint } = terminal;
  const row = (name: string, value: string) =>
    terminal.out(`  ${paint('dim', name.padEnd(16))}${value}`);
  terminal.out(`\n${paint('bold', 'contentgen mock')} ${packageVersion()}\n`);
  row('API', `${paint('cyan', url)}  (also under /v2)`);
  row('Dashboard', paint('cyan', `${url}/`));
  row('Contract', paint('cyan', `${url}/openapi.yaml`));
  if (url !== served.url) row('Listens on', paint('cyan', served.url));
  terminal.out('');
  if (resumed) row('Keys', KEPT_KEYS);
  if (adminKey) row('Admin key', adminKey);
  if (memberKey) row('Member key', memberKey);
  if (adminKey && isLocal(url)) {
    row('In a browser', 'both keys work in a page too, because nobody else can visit this address');
  }
  row('Signing secret', signingSecret);
  row('Data', data ?? 'in memory, lost when the server stops (--data FILE keeps it)');
  if (snapshot) {
    row('Snapshot', snapshot.used ? snapshot.file : 'not used: the data already exists');
  }
  const { deployment } = page.server();
  if (deployment) row('Deployment', Object.keys(deployment).join(', '));
  if (envFile) row('Variables', `written to ${envFile}`);
  if (adminKey) {
    terminal.out('');
    terminal.out(paint('dim', `  curl ${url}/api/ai/content/generate \\`));
    terminal.out(paint('dim', `    -H 'X-API-Key: ${memberKey || adminKey}' \\`));
    terminal.out(paint('dim', `    -H 'Content-Type: application/json' -d '{"prompt":"A haiku"}'`));
  }
  terminal.out('');
}

/** Whether the client accepts an API key in a browser for this base URL. */
function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$|\.(?:localhost|test)$/.test(hostname);
}
