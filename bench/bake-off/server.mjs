import { createServer } from 'node:http';

/** A loopback server that responds with `react(request, response, number)` and records the requests. */
export async function startServer(react) {
  const seen = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, at: performance.now() });
      react(request, response, seen.length);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A response that every client here accepts as a success. */
export const success = {
  id: 'gen_1',
  object: 'response',
  requestId: 'gen_1',
  status: 'completed',
  model: 'm',
  result: 'text',
  output: [],
  content: [],
  usage: { totalTokens: 1, input_tokens: 1, output_tokens: 1 },
  createdAt: '2026-01-01T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
  domains: [],
};

export function json(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function failure(response, status, code, headers = {}) {
  const message = 'the service says why';
  const error = { type: 'api_error', code, message };
  json(
    response,
    status,
    {
      type: 'error',
      title: message,
      status,
      code,
      detail: message,
      requestId: 'req_1',
      message,
      name: code,
      error,
    },
    headers,
  );
}

/** The state of a promise after `ms`. */
export async function within(promise, ms) {
  const start = performance.now();
  const outcome = await Promise.race([
    promise.then(
      (value) => ({ state: 'resolved', value }),
      (error) => ({ state: 'rejected', error }),
    ),
    new Promise((resolve) => setTimeout(resolve, ms, { state: 'pending' })),
  ]);
  return { ...outcome, ms: performance.now() - start };
}
