import type { MockServer } from '../mock-server.ts';

/** `/health`: 200 while changes can be saved, 503 once they cannot. For load balancers and containers. */
export async function healthResponse(mock: MockServer): Promise<Response> {
  const uptimeSeconds = Math.round(process.uptime());
  const { leadership } = mock;
  if (leadership && !leadership.leading && leadership.leaderUrl === undefined) {
    const detail = 'This process is a standby and knows no leader.';
    return json(503, { status: 'unavailable', uptimeSeconds, detail });
  }
  try {
    await mock.flushed();
    return json(200, { status: 'ok', uptimeSeconds });
  } catch {
    const detail =
      'Changes cannot be saved. Check that the disk has space and the store can be reached.';
    return json(503, { status: 'unavailable', uptimeSeconds, detail });
  }
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}
