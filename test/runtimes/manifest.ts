import { globSync } from 'node:fs';

/** A kind of runtime; the three Nodes are one, CommonJS on them another. */
export type Kind =
  | 'node'
  | 'commonjs'
  | 'bun'
  | 'deno'
  | 'workerd'
  | 'workerd-node'
  | 'edge'
  | 'chromium';

/** Where a test file runs beside the pinned Node, where all of them run. */
export interface Place {
  /** @default everywhere */
  readonly on?: readonly Kind[];
  /** Why not elsewhere. */
  readonly because?: string;
  /** It tests what no entry exports, so it brings that from the sources: why it must. */
  readonly internals?: string;
  /** Claims, by the beginning of their names, that some runtimes cannot make. */
  readonly except?: readonly Exception[];
}

export interface Exception {
  readonly claim: string;
  readonly on: readonly Kind[];
  readonly because: string;
}

/** Folders whose every test file is named below. */
export const folders = ['test/signing', 'test/testing', 'test/webhooks'];

const sockets: readonly Kind[] = ['node', 'commonjs', 'bun', 'deno'];
const withoutNode: readonly Kind[] = ['workerd', 'edge', 'chromium'];

/** Every test file of these folders, and where it runs on the packed package. */
export const places: Readonly<Record<string, Place>> = {
  'test/signing/hmac.test.ts': {
    internals: 'both implementations of one HMAC, of which a runtime offers one',
    except: [
      {
        claim: 'HMAC > answers at once on Node',
        on: withoutNode,
        because: 'Web Crypto never does',
      },
    ],
  },
  'test/signing/scheme.test.ts': {},
  'test/signing/secret.test.ts': { internals: 'the reader of secrets and the cache of keys' },
  'test/testing/audit.test.ts': { on: sockets, because: 'audits receivers over sockets' },
  'test/testing/deliver.test.ts': {},
  'test/webhooks/dedupe-memory.test.ts': {},
  'test/webhooks/diagnose.test.ts': {},
  'test/webhooks/handler-dedupe.test.ts': {},
  'test/webhooks/handler-results.test.ts': {},
  'test/webhooks/handler.test.ts': {
    except: [
      {
        claim: 'A delivery > that is compressed is 415, one over the cap 413',
        on: ['chromium'],
        because: 'a Request of a browser leaves Content-Length out',
      },
      {
        claim: 'Metrics > that reject later disturb nothing',
        on: withoutNode,
        because: 'it listens to the process; the collector hears of loose rejections itself',
      },
    ],
  },
  'test/webhooks/interop.test.ts': {},
  'test/webhooks/lambda.test.ts': { on: sockets, because: 'Lambda runs Node' },
  'test/webhooks/node-adapters.test.ts': {
    on: sockets,
    because: 'node:http',
    except: [
      {
        claim: 'toNodeHandler > answers a method that fetch forbids',
        on: ['bun'],
        because: 'fetch forbids none there',
      },
      {
        claim: 'toNodeHandler > answers 413 to a body that grows over the cap',
        on: ['deno'],
        because: 'its client meets the broken pipe before it reads the answer',
      },
    ],
  },
  'test/webhooks/postgres.test.ts': { on: [], because: 'kills processes of the pinned Node' },
  'test/webhooks/properties.test.ts': {},
  'test/webhooks/redis.test.ts': { on: [], because: 'kills processes of the pinned Node' },
  'test/webhooks/verify-authenticity.test.ts': {},
  'test/webhooks/verify-event.test.ts': {},
  'test/webhooks/verify.test.ts': {},
};

/** Test files that nobody placed, and places of files that are gone. */
export function misplaced(root: string): string[] {
  const found = folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }));
  const unplaced = found.filter((file) => !(file in places));
  const gone = Object.keys(places).filter((file) => !found.includes(file));
  return [...unplaced, ...gone];
}

/** The files that run on a kind of runtime. */
export function filesOn(kind: Kind): string[] {
  return Object.entries(places)
    .filter(([, { on }]) => on?.includes(kind) ?? true)
    .map(([file]) => file);
}

/** The claims that it cannot make. */
export function exceptionsOn(kind: Kind): { file: string; claim: string }[] {
  return Object.entries(places).flatMap(([file, { except = [] }]) =>
    except.filter(({ on }) => on.includes(kind)).map(({ claim }) => ({ file, claim })),
  );
}
