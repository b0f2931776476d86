"""Receives ContentGen webhooks, verifies them with the Standard Webhooks library and handles each one once."""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

MAX_BYTES = 1024 * 1024
webhook = Webhook(os.environ["CONTENTGEN_WEBHOOK_SECRET"])
handled: set[str] = set()  # use a table with a unique index in production


def handle(payload: dict) -> None:
    kind = payload.get("event") or ("failed" if "error" in payload else "completed")
    print(kind, payload.get("requestId") or payload.get("organization"), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        if length > MAX_BYTES:
            self.respond(413)
            return
        body = self.rfile.read(length)  # the bytes as they arrived
        try:
            payload = webhook.verify(body, dict(self.headers.items()))
        except (WebhookVerificationError, ValueError):  # the library raises ValueError for undecodable values
            self.respond(400)
            return
        message = self.headers["webhook-id"]
        if message not in handled:
            handle(payload)
            handled.add(message)
        self.respond(204)

    def respond(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 3000), Receiver)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
