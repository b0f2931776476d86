import { internalsOf } from '../../composition/internals.ts';
import type { MockServer } from '../../composition/mock-server.ts';
import { controlSite } from '../../control-api/app.ts';
import type { ControlGate } from '../access/control-gate.ts';
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

const UNSAVED = 'Changes cannot be saved. Check that the disk has space.';

/** `/health`: 200 while changes can be saved, 503 once they cannot. For load balancers and containers. */
async function healthResponse(mock: MockServer): Promise<Response> {
  const uptimeSeconds = Math.round(process.uptime());
  const detail = await problemOf(mock);
  if (detail === undefined) return json(200, { status: 'ok', uptimeSeconds });
  return json(503, { status: 'unavailable', uptimeSeconds, detail });
}

async function problemOf(mock: MockServer): Promise<string | undefined> {
  try {
    await internalsOf(mock).flushed();
    return undefined;
  } catch {
    return UNSAVED;
  }
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}
