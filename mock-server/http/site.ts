import { readFile } from 'node:fs/promises';
import { type Exposure, refusalOf } from '../control-api/access.ts';
import { controlSite, problem } from '../control-api/app.ts';
import { ControlProblem } from '../control-api/input.ts';
import type { MockServer } from '../mock-server.ts';
import { dashboardFiles } from './static-files.ts';

/** The public API's own contract is the API's to answer. */
const CONTROL_CONTRACT = 'mock-server/control.openapi.yaml';

const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['/reference', 'openapi.yaml'],
  ['/_control/reference', CONTROL_CONTRACT],
]);

/** Two folders up in the sources and in the built package alike; a shared chunk may lie one higher or lower. */
const ROOTS = ['../../', '../', '../../../'];

async function packageFile(name: string): Promise<string> {
  for (const root of ROOTS) {
    try {
      return await readFile(new URL(root + name, import.meta.url), 'utf8');
    } catch {
      // Not there: the next one.
    }
  }
  throw new Error(`The package has no file ${name}.`);
}

const SHARED_HEADERS = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };

async function controlContract(): Promise<Response> {
  const headers = { ...SHARED_HEADERS, 'content-type': 'application/yaml; charset=utf-8' };
  return new Response(await packageFile(CONTROL_CONTRACT), { headers });
}

async function reference(name: string): Promise<Response> {
  const [{ parse }, { referencePage }, source] = await Promise.all([
    import('yaml'),
    import('./reference-page.ts'),
    packageFile(name),
  ]);
  return new Response(referencePage(parse(source)), {
    headers: {
      ...SHARED_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
  });
}

export interface SiteOptions {
  /** Who may reach the control plane and the dashboard. @default this machine alone */
  readonly exposeControl?: Exposure;
  /** Whether there is one, or the folder it was built into. @default true */
  readonly dashboard?: boolean | URL;
}

/** Everything that the standalone server answers beside the API itself. */
export interface Site {
  /** Answers undefined for what belongs to the API. `peer` is the address of the socket's other end. */
  handle(request: Request, peer: string | undefined): Promise<Response> | undefined;
  /** Ends what would keep a connection open. */
  close(): void;
}

/** Tested against the address as it came: parsing it costs more than all else that is done here. */
const API = /^https?:\/\/[^/?#]*\/(?:v2\/)?(?:api|api-keys|\.well-known)\//;

export function createSite(mock: MockServer, options: SiteOptions = {}): Site {
  const exposure = options.exposeControl ?? false;
  const control = controlSite(mock, exposure);
  const { dashboard: built = true } = options;
  const dashboard =
    built === false ? undefined : dashboardFiles(built === true ? undefined : built);

  function guarded(
    request: Request,
    peer: string | undefined,
    answer: () => Promise<Response> | Response,
  ): Promise<Response> {
    const refusal = refusalOf({ peer, headers: request.headers }, exposure);
    if (refusal === undefined) return Promise.resolve(answer());
    return Promise.resolve(problem(new ControlProblem(403, 'control_refused', refusal)));
  }

  return {
    handle(request, peer) {
      if (API.test(request.url)) return undefined;
      const path = new URL(request.url).pathname;
      const safe = request.method === 'GET' || request.method === 'HEAD';
      const page = safe ? REFERENCES.get(path) : undefined;
      if (path.startsWith('/_control')) {
        if (safe && path === '/_control/openapi.yaml') {
          return guarded(request, peer, controlContract);
        }
        if (page !== undefined) return guarded(request, peer, () => reference(page));
        return control.handle(request, peer);
      }
      if (page !== undefined) return reference(page);
      const file = safe ? dashboard?.(request) : undefined;
      return file === undefined ? undefined : guarded(request, peer, () => file);
    },
    close: control.close,
  };
}
