import type { MockServer } from '../../composition/mock-server.ts';
import { controlSite } from '../../control-api/app.ts';
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

/** Matches the raw address: parsing it first would cost more than everything else here. */
const PUBLIC_API = /^https?:\/\/[^/?#]*\/(?:v2\/)?(?:api|api-keys|\.well-known)\//;

export function createSite(mock: MockServer, options: SiteOptions): Site {
  const { gate, dashboard } = options;
  const control = controlSite(mock);

  return {
    handle(request, peer) {
      if (PUBLIC_API.test(request.url)) return undefined;
      const path = new URL(request.url).pathname;
      if (path.startsWith('/_control')) {
        const rejection = gate.reject(request, peer);
        return rejection ? Promise.resolve(rejection) : control.handle(request);
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
      if (path === '/health') return healthResponse(mock);
      const file = dashboard?.(request);
      return file && Promise.resolve(gate.rejectPage(request, peer) ?? file);
    },
    close: control.close,
  };
}
