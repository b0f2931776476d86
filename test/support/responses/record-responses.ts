import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import type { MockServer, MockServerOptions } from '../../../mock-server/index.ts';
import type { RecordedResponse } from './check-response.ts';

/** Set up in every project: each mock that a test creates keeps its responses for the end of the run. */
// Files that share a worker share what they import, but each is set up for itself.
const shared = globalThis as { contentgenResponses?: string[] };
shared.contentgenResponses ??= [];
const lines = shared.contentgenResponses;
const { CONTENTGEN_RESPONSES: folder } = process.env;

vi.mock('../../../mock-server/create-mock-server.ts', async (importActual) => {
  const actual = await importActual<typeof import('../../../mock-server/create-mock-server.ts')>();
  const createMockServer: typeof actual.createMockServer = (options) =>
    recorded(actual.createMockServer(options), options);
  return { ...actual, createMockServer };
});

afterAll(() => {
  if (!folder || lines.length === 0) return;
  appendFileSync(join(folder, `${randomUUID()}.jsonl`), `${lines.splice(0).join('\n')}\n`);
});

/** A mock that plays a deployment does not respond as the contract says. */
function recorded(mock: MockServer, options: MockServerOptions = {}): MockServer {
  if (!folder || options.deployment) return mock;
  const handle = internalsOf(mock).handle;
  const base = new URL(mock.baseUrl).pathname.replace(/\/+$/, '').replace(/\/v2$/, '');
  const ownPaths = new Map(
    internalsOf(mock).routes.map(({ method, path, operation }) => [`${method} ${path}`, operation]),
  );
  internalsOf(mock).handle = (request, make = (body, init) => new Response(body, init)) => {
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
    const effects = mock.faults.list().map(({ operation, effect }) => ({ operation, effect }));
    return handle(request, (body, init) => {
      const { status, headers } = init;
      const isText = body === null || /json/.test(headers['content-type'] ?? '');
      const kept = typeof body === 'string' && isText ? { body } : {};
      const operation = ownPaths.get(`${request.method} ${path}`);
      const own = operation && { operation };
      const record = { method: request.method, path, ...own, effects, status, headers, ...kept };
      lines.push(
        JSON.stringify({
          ...record,
          of: process.env['CONTENTGEN_TEST'] ?? '',
        } satisfies RecordedResponse),
      );
      return make(body, init);
    });
  };
  return mock;
}
