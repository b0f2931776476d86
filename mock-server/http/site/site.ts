import type { MockServer } from '../../composition/mock-server.ts';
import { controlSite } from '../../control-api/app.ts';
import type { ControlGate } from '../access/control-gate.ts';
import { healthResponse } from './health.ts';
import type { StaticFiles } from './static-files.ts';

/** Matches the raw address: parsing it first would cost more than everything else here. */
const PUBLIC_API = /^https?:\/\/[^/?#]*\/(?:v2\/)?(?:api|api-keys|\.well-known)\//;

/** Everything that the standalone server serves besides the public API. Without files there is no dashboard. */
export function createSite(
  mock: MockServer,
  gate: ControlGate,
  dashboard: StaticFiles | undefined,
) {
  const control = controlSite(mock);

  return {
    /** Returns undefined for requests to the public API. `peer` is the address of the other end of the socket. */
    handle(request: Request, peer: string | undefined): Promise<Response> | undefined {
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
    /** Ends the responses that would keep connections open. */
    close: control.close,
  };
}
