import type { Leadership, MockServer } from '../../composition/mock-server.ts';

/** How long a check waits for the next leader, ms. Kubernetes gives a probe one second by default. */
const TAKEOVER_MS = 500;

const UNSAVED =
  'Changes cannot be saved. Check that the disk has space and the store can be reached.';
const LEADERLESS =
  'This process is a standby, and there is no leader. Check that it reaches the store.';

/** `/health`: 200 while changes can be saved, 503 once they cannot. For load balancers and containers. */
export async function healthResponse(mock: MockServer): Promise<Response> {
  const uptimeSeconds = Math.round(process.uptime());
  const detail = await problemOf(mock);
  if (detail === undefined) return json(200, { status: 'ok', uptimeSeconds });
  return json(503, { status: 'unavailable', uptimeSeconds, detail });
}

async function problemOf(mock: MockServer): Promise<string | undefined> {
  const { leadership } = mock;
  if (leadership && !(await hasLeader(leadership))) return LEADERLESS;
  if (leadership && !leadership.leading) return undefined;
  try {
    await mock.flushed();
    return undefined;
  } catch {
    return UNSAVED;
  }
}

async function hasLeader(leadership: Leadership): Promise<boolean> {
  const found = () => leadership.leading || leadership.leaderUrl !== undefined;
  if (found()) return true;
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      remove();
      resolve(found());
    };
    const timer = setTimeout(settle, TAKEOVER_MS);
    const remove = leadership.onChange(() => {
      if (found()) settle();
    });
  });
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}
