import type { MockServer } from '../../composition/mock-server.ts';
import { controlSite } from '../../control-api/app.ts';
import { readPackageFile } from '../../platform/package-file.ts';
import type { ControlGate } from '../access/control-gate.ts';
import { healthResponse } from './health.ts';
import type { StaticFiles } from './static-files.ts';

export interface SiteOptions {
  /** Who can use the control API and the dashboard. */
  readonly gate: ControlGate;
  /** The files of the dashboard, if it is served. */
  readonly dashboard: StaticFiles | undefined;
}

/** Everything that the standalone server serves besides the public API. */
export interface Site {
  /** Returns undefined for requests to the public API. `peer` is the address of the other end of the socket. */
  handle(request: Request, peer: string | undefined): Promise<Response> | undefined;
  /** Ends the responses that would keep connections open. */
  close(): void;
}

/** The public contract is served by the API itself. */
const CONTROL_CONTRACT = 'mock-server/control.openapi.yaml';

const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['/reference', 'openapi.yaml'],
  ['/_control/reference', CONTROL_CONTRACT],
]);

/** Matches the raw address: parsing it first would cost more than everything else here. */
const PUBLIC_API = /^https?:\/\/[^/?#]*\/(?:v2\/)?(?:api|api-keys|\.well-known)\//;

const SHARED_HEADERS = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };

export function createSite(mock: MockServer, options: SiteOptions): Site {
  const { gate, dashboard } = options;
  // The gate has already checked every caller.
  const control = controlSite(mock, 'page');

  async function guarded(
    request: Request,
    peer: string | undefined,
    respond: () => Promise<Response> | Response,
  ): Promise<Response> {
    return gate.reject(request, peer) ?? respond();
  }

  return {
    handle(request, peer) {
      if (PUBLIC_API.test(request.url)) return undefined;
      const path = new URL(request.url).pathname;
      const safe = request.method === 'GET' || request.method === 'HEAD';
      if (safe && path === '/health') return healthResponse(mock);
      const contract = safe ? REFERENCES.get(path) : undefined;
      if (path.startsWith('/_control')) {
        const session = gate.session(request);
        if (session !== undefined) return session;
        if (safe && path === '/_control/openapi.yaml') {
          return guarded(request, peer, controlContract);
        }
        if (contract !== undefined) return guarded(request, peer, () => referenceFor(contract));
        const rejection = gate.reject(request, peer);
        return rejection ? Promise.resolve(rejection) : control.handle(request, peer);
      }
      if (contract !== undefined) return referenceFor(contract);
      const file = safe ? dashboard?.(request) : undefined;
      return file === undefined ? undefined : guarded(request, peer, () => file);
    },
    close: control.close,
  };
}

function controlContract(): Response {
  const headers = { ...SHARED_HEADERS, 'content-type': 'application/yaml; charset=utf-8' };
  return new Response(requirePackageFile(CONTROL_CONTRACT), { headers });
}

const home = { href: './', title: 'Dashboard' };

async function referenceFor(contract: string): Promise<Response> {
  const [{ parse }, { referencePage }] = await Promise.all([
    import('yaml'),
    import('./reference-page.ts'),
  ]);
  return new Response(referencePage(parse(requirePackageFile(contract)), home), {
    headers: {
      ...SHARED_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
  });
}

function requirePackageFile(name: string): string {
  const text = readPackageFile(name);
  if (text === undefined) throw new Error(`The package is incomplete: ${name} is missing.`);
  return text;
}
