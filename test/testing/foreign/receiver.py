"""Two receivers, by path: POST /right, POST /reparse, and how many effects each had: GET /right/effects."""
import base64
import hashlib
import hmac
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

SECRET = sys.argv[1]
seen, effects, lock = {}, {}, Lock()


def is_valid(fault, headers, body):
    values = [headers.get_all(name) or [] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")]
    if any(len(value) != 1 for value in values):
        return False
    id, at, given = (value[0] for value in values)
    if not id or "." in id or not at.isdecimal() or not at.isascii():
        return False
    if abs(time.time() - int(at)) > 300:
        return False
    if fault == "reparse":
        try:
            body = json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()
        except ValueError:
            return False
    digest = hmac.new(base64.b64decode(SECRET[6:]), f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    wanted = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(entry.encode(), wanted.encode()) for entry in given.split(" ")[:16])


class Receiver(BaseHTTPRequestHandler):
    def do_GET(self):
        fault, _, rest = self.path[1:].partition("/")
        text = str(effects.get(fault, 0)).encode()
        self.send_response(200 if rest == "effects" else 405)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        fault = self.path[1:]
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.respond(self.receive(fault, body))

    def receive(self, fault, body):
        if len(body) > 1_048_576:
            return 413
        if not is_valid(fault, self.headers, body):
            return 400
        try:
            json.loads(body)
        except ValueError:
            return 422
        mark = (fault, self.headers.get("webhook-id"))
        with lock:
            if mark not in seen:
                seen[mark] = True
                effects[fault] = effects.get(fault, 0) + 1
        return 204

    def respond(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
