import { internalsOf } from '../../composition/internals.ts';
import type { MockServer } from '../../composition/mock-server.ts';

const UNSAVED = 'Changes cannot be saved. Check that the disk has space.';

/** `/health`: 200 while changes can be saved, 503 once they cannot. For load balancers and containers. */
export async function healthResponse(mock: MockServer): Promise<Response> {
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
