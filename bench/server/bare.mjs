// The minimum cost of any JSON server on node:http: the baseline.
import { createServer } from 'node:http';

const body = JSON.stringify({
  requestId: 'gen_01kdvdna00wnsnh3678mj9n0y2',
  status: 'completed',
  model: 'content-1',
  result: 'Quiet messages\nlost, then patiently re-sent\nthe answer arrives',
  usage: { totalTokens: 17, promptTokens: 2, completionTokens: 15 },
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:00:00.000Z',
});
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    JSON.parse(text);
  }
  response.writeHead(200, headers).end(body);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
