import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { auditReceiver } from 'contentgen/testing';
import { expect, test } from 'vitest';
import { secret } from '../webhooks/support.ts';

const program = `
import base64, hashlib, hmac, json, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(sys.argv[1][6:])
seen = set()

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # A server of the standard library reads no chunked body.
        body = self.rfile.read(int(self.headers.get('content-length') or 0))
        self.send_response(204 if self.is_valid(body) else 400)
        self.end_headers()

    def is_valid(self, body):
        names = ('webhook-id', 'webhook-timestamp', 'webhook-signature')
        if any(len(self.headers.get_all(name) or []) != 1 for name in names):
            return False
        id, at, given = (self.headers[name] for name in names)
        if not at.isdecimal() or not at.isascii() or abs(time.time() - int(at)) > 300:
            return False
        digest = hmac.new(key, f'{id}.{at}.'.encode() + body, hashlib.sha256).digest()
        wanted = 'v1,' + base64.b64encode(digest).decode()
        return any([hmac.compare_digest(one, wanted) for one in given.split(' ')])

    def log_message(self, *_):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
`;

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)(
  "a receiver on Python's http.server, which reads no chunked body, does not fail",
  async () => {
    const server = spawn('python3', ['-c', program, secret], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(server.stdout, 'data')) as [Buffer];
      const report = await auditReceiver(`http://127.0.0.1:${`${line}`.trim()}/`, {
        secret,
        standard: true,
      });
      expect(report.ok, String(report)).toBe(true);
      const slow = report.results.find(({ name }) => name === 'accepts a body that arrives slowly');
      expect(slow?.outcome, String(report)).toBe('warning');
      expect(slow?.advice).toContain('Transfer-Encoding: chunked');
    } finally {
      server.kill();
    }
  },
);

test('a response whose body never ends is named', async () => {
  const endless = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  const report = await auditReceiver(endless, { secret, timeoutMs: 20, wait: async () => {} });
  expect(report.ok).toBe(false);
  expect(String(report)).toContain(
    'The receiver responded 200, but the body of its response did not end.',
  );
});
