import { createHmac } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockServer, type MockServer, type MockServerOptions } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { mswHandlers } from 'contentgen/mock/msw';
import { setupServer } from 'msw/node';
import { sqliteStore } from '../../mock-server/stores/sqlite.ts';
import type { Attempt } from './specification.ts';
import { cost, processingTime, quota } from './specification.ts';

/** A running service, as its callers see it. */
export interface Service {
  readonly mock: MockServer;
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Ends it as a crash would, and starts it again from what it had saved. */
  restart(): Promise<void>;
  close(): Promise<void>;
  /** What the receiver got since the last look, by the generation's id. */
  readonly received: Map<string, Attempt[]>;
  receiverWorks: boolean;
}

interface Entrance {
  fetch(url: string, init: RequestInit): Promise<Response>;
  close?(): unknown;
}

/** One for all histories: each server of MSW 3 keeps 0.1 MB after its end. */
let msw: ReturnType<typeof setupServer> | undefined;

/** The ways into the service. */
export const entrances = {
  'in process': (mock) => ({ fetch: (url, init) => mock.fetch(mock.baseUrl + url, init) }),
  'over HTTP': async (mock) => {
    const served = await serve(mock, { port: 0, dashboard: false });
    return {
      fetch: (url, init) => fetch(served.url + url, init),
      close: () => served.close({ graceMs: 0 }),
    };
  },
  'through MSW': (mock) => {
    if (!msw) {
      msw = setupServer();
      msw.listen({ onUnhandledFrame: 'error' });
    }
    msw.resetHandlers(...mswHandlers(mock));
    return { fetch: (url, init) => fetch(mock.baseUrl + url, init) };
  },
} satisfies Record<string, (mock: MockServer) => Entrance | Promise<Entrance>>;

export const callback = 'https://app.test/hook';

/** Starts a service whose state is saved as a snapshot, or else in a data file that a crash leaves as it is. */
export async function startService(
  enter: (mock: MockServer) => Entrance | Promise<Entrance>,
  { inFile = false } = {},
): Promise<Service> {
  const folder = inFile ? mkdtempSync(join(tmpdir(), 'contentgen-model-')) : undefined;
  let files = 0;
  let path = join(folder ?? '', '0.db');
  let store = folder ? sqliteStore(path) : undefined;
  const options = { ...given, ...(store && { store }) };
  let mock = createMockServer(options);
  const { adminKey } = mock;
  const received = new Map<string, Attempt[]>();
  const listen = () =>
    mock.receivers.set(callback, async (request) => {
      const status = service.receiverWorks ? 200 : 500;
      const attempt = await readAttempt(request, { at: mock.clock.now(), status });
      const { requestId } = JSON.parse(attempt.body) as { requestId: string };
      received.set(requestId, [...(received.get(requestId) ?? []), attempt]);
      return new Response(null, { status });
    });
  let entrance = await enter(mock);
  const stop = async () => {
    await entrance.close?.();
    await mock.close();
    store?.close();
  };
  const service = {
    get mock() {
      return mock;
    },
    received,
    receiverWorks: true,
    call: (url: string, init: RequestInit = {}) =>
      entrance.fetch(url, {
        ...init,
        headers: { 'content-type': 'application/json', 'x-api-key': adminKey, ...init.headers },
      }),
    async restart() {
      const before = path;
      const saved = mock.snapshot();
      if (folder) {
        files += 1;
        path = join(folder, `${files}.db`);
        for (const end of ['', '-wal'])
          if (existsSync(before + end)) copyFileSync(before + end, path + end);
      }
      await stop();
      store = folder ? sqliteStore(path) : undefined;
      mock = createMockServer({ ...given, adminKey, ...(store && { store }) });
      if (!store) mock.restore(saved);
      entrance = await enter(mock);
      listen();
    },
    async close() {
      await stop();
      if (folder) rmSync(folder, { recursive: true });
    },
  };
  listen();
  return service;
}

const given: MockServerOptions = {
  clock: 'manual',
  start: '2026-01-30T00:00:00Z',
  seed: 1,
  quota,
  processingTime,
  *generator({ prompt }) {
    yield `About ${prompt}.`;
    return { promptTokens: cost / 2, completionTokens: cost / 2 };
  },
};

async function readAttempt(
  request: Request,
  facts: Pick<Attempt, 'at' | 'status'>,
): Promise<Attempt> {
  const header = (name: string) => request.headers.get(name) ?? '';
  return {
    ...facts,
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signatures: header('webhook-signature').split(' '),
    body: await request.text(),
  };
}

/** The signature of an attempt, from the documents and not from the sources. */
export function signatureOf({ id, timestamp, body }: Attempt, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
