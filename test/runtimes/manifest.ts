import { existsSync, globSync } from 'node:fs';
import type { Kind, Place } from './place.ts';

/** Folders whose every test file is named below. */
export const folders = [
  'test/mock-server/http',
  'test/mock-server/msw',
  'test/client',
  'test/signing',
  'test/testing',
  'test/webhooks',
];

const newNodes: readonly Kind[] = ['node', 'commonjs'];
const nodes: readonly Kind[] = [...newNodes, 'node-20', 'commonjs-20'];
const sockets: readonly Kind[] = [...nodes, 'bun', 'deno'];
const withoutNode: readonly Kind[] = ['workerd', 'edge', 'chromium'];

const toTheProcess = 'it listens on the process; the collector catches unhandled rejections itself';
const inside = 'parts of the reference server that no entry exports';
const intercepts = 'MSW 3 needs Node 22.12';
const fetchRetries = 'its fetch retries by itself when a connection is lost';
const sharedTimers = 'its sockets wait on the timers that these tests stop';

/** Where each test file runs on the packed package. */
export const places: Readonly<Record<string, Place>> = {
  'test/mock-server/msw/bypass.test.ts': { on: [], because: inside },
  'test/mock-server/msw/closed.test.ts': { on: newNodes, because: intercepts },
  'test/mock-server/http/fetch.test.ts': {
    except: [
      {
        claim: 'mock.fetch: rejections > a preflight needs no credentials',
        on: ['chromium'],
        because: 'a page cannot set the headers of a preflight',
      },
      {
        claim: 'mock.fetch: streams > an aborted call rejects with AbortError',
        on: ['chromium'],
        because: 'any error that ends the stream of a hand-made Response is a TypeError there',
      },
    ],
  },
  'test/mock-server/http/health.test.ts': { on: sockets, because: 'node:http' },
  'test/mock-server/http/http.test.ts': {
    on: sockets,
    because: 'node:http',
    except: [
      { claim: 'over a socket: faults > a dropped', on: ['deno'], because: fetchRetries },
      {
        claim: 'over a socket: faults > a truncated response',
        on: ['deno'],
        because: fetchRetries,
      },
      { claim: 'over a socket: faults > a lost response', on: ['deno'], because: fetchRetries },
    ],
  },
  'test/mock-server/http/loopback.test.ts': { on: sockets, because: 'node:http' },
  'test/mock-server/http/http-probes.test.ts': {
    on: [],
    because: 'the HTTP parsers of the runtimes differ in what they refuse',
  },
  'test/mock-server/http/node-request.test.ts': { on: [], because: 'imitates parts of node:http' },
  'test/mock-server/msw/msw-2.test.ts': { on: [], because: 'puts MSW 2 in the place of MSW 3' },
  'test/mock-server/msw/msw.test.ts': { on: newNodes, because: intercepts },
  'test/mock-server/http/serve.test.ts': { on: sockets, because: 'node:http' },
  'test/mock-server/msw/worker.test.ts': { on: [], because: 'starts its own browser' },
  'test/mock-server/http/control-token.test.ts': { on: sockets, because: 'node:http' },
  'test/mock-server/msw/setup-mock-server.test.ts': {
    on: newNodes,
    because: intercepts,
    except: [
      {
        claim: 'another copy of the package',
        on: newNodes,
        because: 'it loads the sources a second time',
      },
      {
        claim: 'a server of your own on msw 2',
        on: newNodes,
        because: 'MSW 2 is installed with the sources only',
      },
    ],
  },
  'test/client/connection-failures.test.ts': {
    on: nodes,
    because: 'it replaces globals of the runtime',
  },
  'test/client/still-running.test.ts': {
    on: nodes,
    because: 'it moves a stopped clock step by step',
  },
  'test/client/stack.test.ts': {
    on: [...nodes, 'deno'],
    because: 'the frames after an await are what V8 records; other engines name them differently',
  },
  'test/client/content.test.ts': {
    except: [
      {
        claim: 'an asynchronous generation over a loopback',
        on: ['bun', 'deno'],
        because: sharedTimers,
      },
    ],
  },
  'test/client/credential-mistakes.test.ts': {},
  'test/client/browser-credential.test.ts': {
    on: [...sockets, 'workerd', 'edge'],
    because: 'it imitates a browser; test/e2e/browser uses a real one',
  },
  'test/client/credential.test.ts': {
    except: [
      {
        claim: 'the environment > an unreadable environment',
        on: withoutNode,
        because: 'no environment',
      },
    ],
  },
  'test/client/errors.test.ts': {},
  'test/client/promised.test.ts': {},
  'test/client/generation-errors.test.ts': {
    except: [
      {
        claim: 'the generation of an error > is named when a stream',
        on: ['chromium'],
        because: 'its Response replaces the error of a stream',
      },
    ],
  },
  'test/client/fake-timers.test.ts': { on: nodes, because: sharedTimers },
  'test/client/paced.test.ts': { on: nodes, because: sharedTimers },
  'test/client/refreshing.test.ts': {},
  'test/client/first-errors.test.ts': { on: [], because: 'node:http, and undici as an agent' },
  'test/client/foreign-errors.test.ts': {},
  'test/client/foreign-fetch.test.ts': { on: [], because: 'the fetch of undici and of node-fetch' },
  'test/client/hooks.test.ts': {},
  'test/client/http.test.ts': {},
  'test/client/platforms.test.ts': {
    on: [],
    because: 'replaces a class of Node; Vitest 3 runs with the real jsdom',
  },
  'test/client/proxies.test.ts': { on: [], because: 'trusts a certificate by options of undici' },
  'test/client/operations.test.ts': {
    internals: 'the table of operations, so that none is missed',
  },
  'test/client/options.test.ts': {},
  'test/client/pagination.test.ts': {},
  'test/client/event-stream-format.test.ts': { internals: 'the parser of event streams' },
  'test/client/pure.test.ts': { internals: 'the pure parts of the transport' },
  'test/client/reactive-state.test.ts': {},
  'test/client/react-query.test.ts': { on: nodes, because: 'renders on a server' },
  'test/client/send.test.ts': {
    except: [{ claim: 'retries over a loopback', on: ['bun', 'deno'], because: sharedTimers }],
  },
  'test/client/response-size.test.ts': {},
  'test/client/stream-bodies.test.ts': {
    except: [
      {
        claim: 'the streams for web handlers over a loopback',
        on: ['bun', 'deno'],
        because: sharedTimers,
      },
    ],
  },
  'test/client/stream-ends.test.ts': { on: nodes, because: sharedTimers },
  'test/client/stream-resume.test.ts': {},
  'test/client/stream-watch.test.ts': {},
  'test/client/stream.test.ts': {
    except: [
      { claim: 'a stream over a loopback', on: ['bun', 'deno'], because: sharedTimers },
      {
        claim: 'a stream over a scripted fetch > an error without a final() call',
        on: withoutNode,
        because: toTheProcess,
      },
    ],
  },
  'test/client/time.test.ts': {
    except: [{ claim: 'time over a loopback', on: ['bun', 'deno'], because: sharedTimers }],
  },
  'test/client/wait-options.test.ts': {},
  'test/client/wait-outage.test.ts': { on: sockets, because: 'its service listens on a socket' },
  'test/client/with-options.test.ts': { on: nodes, because: 'it replaces the globals of Node' },
  'test/client/with-mock.test.ts': {},
  'test/signing/hmac.test.ts': {
    internals: 'both implementations of HMAC, of which a runtime offers only one',
    except: [
      {
        claim: 'HMAC > is synchronous on Node',
        on: withoutNode,
        because: 'Web Crypto never is',
      },
    ],
  },
  'test/signing/jwks-recipe.test.ts': { on: [], because: 'fetches keys from a socket' },
  'test/signing/scheme.test.ts': {},
  'test/signing/secret.test.ts': { internals: 'parsing secrets and caching keys' },
  'test/testing/audit-bench.test.ts': { on: [], because: 'its receivers use node:crypto' },
  'test/testing/audit.test.ts': { on: sockets, because: 'audits receivers over sockets' },
  'test/testing/audit-servers.test.ts': { on: [], because: 'starts a Python server' },
  'test/testing/conform.test.ts': { on: [], because: 'its services listen on sockets' },
  'test/testing/dialects.test.ts': { on: [], because: 'its services listen on sockets' },
  'test/testing/deliver.test.ts': {},
  'test/testing/verifier.test.ts': { on: [], because: 'compares with node:crypto and a file' },
  'test/webhooks/dedupe-memory.test.ts': {},
  'test/webhooks/wrong-mounts.test.ts': { on: [], because: 'Express, Hono and node:http' },
  'test/webhooks/tolerance.test.ts': { on: [], because: 'doctor, which no entry exports' },
  'test/webhooks/fastify.test.ts': { on: sockets, because: 'node:http' },
  'test/webhooks/diagnose.test.ts': {},
  'test/webhooks/handler-dedupe.test.ts': {},
  'test/webhooks/handler-enqueue.test.ts': {},
  'test/webhooks/handler-log.test.ts': {
    on: nodes,
    because: 'Workers, the edge and pages have no NODE_ENV that a test can set',
  },
  'test/webhooks/handler-results.test.ts': {},
  'test/webhooks/handling-time.test.ts': { on: nodes, because: sharedTimers },
  'test/webhooks/handler-store-deadline.test.ts': {},
  'test/webhooks/handler.test.ts': {
    except: [
      {
        claim: 'A delivery > that is compressed gets a 415, and one over the cap a 413',
        on: ['chromium'],
        because: 'a Request in a browser has no Content-Length',
      },
      {
        claim: 'Metrics > that reject later change nothing',
        on: withoutNode,
        because: toTheProcess,
      },
    ],
  },
  'test/webhooks/http2.test.ts': { on: [], because: 'reads a certificate from the repository' },
  'test/webhooks/interop.test.ts': {},
  'test/webhooks/lambda.test.ts': { on: sockets, because: 'Lambda runs Node' },
  'test/webhooks/middleware.test.ts': {},
  'test/webhooks/node-adapters.test.ts': {
    on: sockets,
    because: 'node:http',
    except: [
      {
        claim: 'toNodeHandler > responds to a method that fetch forbids',
        on: ['bun'],
        because: 'fetch forbids none there',
      },
      {
        claim: 'toNodeHandler > responds 413 to a body that grows over the cap',
        on: ['deno'],
        because: 'its client hits the broken pipe before it reads the response',
      },
      {
        claim: 'toNodeHandler > ends an HTTP/2 stream after a 413 or a 400',
        on: [...nodes, 'deno'],
        because:
          'the HTTP/2 client before Node 26 keeps a closed stream open while it has bytes to send',
      },
    ],
  },
  'test/webhooks/node-delivery.test.ts': { on: sockets, because: 'requests of node:http' },
  'test/webhooks/options.test.ts': {},
  'test/webhooks/postgres-clients.test.ts': { on: [], because: 'starts PostgreSQL and PgBouncer' },
  'test/webhooks/postgres-rows.test.ts': {
    on: [],
    because: 'needs PostgreSQL and drives its pool',
  },
  'test/webhooks/postgres.test.ts': { on: [], because: 'kills processes of the pinned Node' },
  'test/webhooks/processor.test.ts': {},
  'test/webhooks/properties.test.ts': {},
  'test/webhooks/redis.test.ts': { on: [], because: 'kills processes of the pinned Node' },
  'test/webhooks/verify-authenticity.test.ts': {},
  'test/webhooks/verify-event.test.ts': {
    except: [
      {
        claim: 'The errors > have a stack that names the caller',
        on: ['bun'],
        because: 'its stacks do not follow every await',
      },
    ],
  },
  'test/webhooks/verify.test.ts': {},
};

/** Test files without a place, and places of files that no longer exist. */
export function misplaced(root: string): string[] {
  const found = folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }));
  const unplaced = found.filter((file) => !(file in places));
  const gone = Object.keys(places).filter((file) => !existsSync(`${root}/${file}`));
  return [...unplaced, ...gone];
}

/** The files that run on a kind of runtime. */
export function filesOn(kind: Kind): string[] {
  return Object.entries(places)
    .filter(([, { on }]) => on?.includes(kind) ?? true)
    .map(([file]) => file);
}

/** The claims that a kind of runtime cannot make. */
export function exceptionsOn(kind: Kind): { file: string; claim: string }[] {
  return Object.entries(places).flatMap(([file, { except = [] }]) =>
    except.filter(({ on }) => on.includes(kind)).map(({ claim }) => ({ file, claim })),
  );
}
