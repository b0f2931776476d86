// The minimum cost of any JSON server on node:http that sends the headers of the reference server: the baseline.
import { createServer } from 'node:http';

const generation = JSON.stringify({
  requestId: 'gen_01kdvdna00wnsnh3678mj9n0y2',
  status: 'completed',
  model: 'content-1',
  result: 'Quiet messages\nlost, then patiently re-sent\nthe answer arrives',
  usage: { totalTokens: 17, promptTokens: 2, completionTokens: 15 },
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:00:00.000Z',
});
const usage = JSON.stringify({
  organization: 'org_01kdvdna00wnsnh3678mj9n0y2',
  periodStart: '2026-01-01T00:00:00.000Z',
  periodEnd: '2026-02-01T00:00:00.000Z',
  used: 17,
  quota: 1_000_000,
  remaining: 999_983,
  requests: 1,
});
const headersOf = (body) => ({
  'x-request-id': 'req_01kdvdna00wnsnh3678mj9n0y2',
  'api-version': '2',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-Id, API-Version, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, WWW-Authenticate',
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
});

const server = createServer(async (request, response) => {
  let body = usage;
  if (request.method === 'POST') {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    JSON.parse(text);
    body = generation;
  }
  response.writeHead(200, headersOf(body)).end(body);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
