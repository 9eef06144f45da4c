"""Receives webhooks: verifies each one, responds immediately and processes each event once."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from legwork import WebhookVerificationError, verify_webhook
from legwork.models import TaskProofSubmittedEvent

SECRET = os.environ["LEGWORK_WEBHOOK_SECRET"]
known: set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        # Verify the raw bytes: they are what was signed.
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_webhook(body, self.headers, SECRET)
        except WebhookVerificationError as error:
            print(f"refused: {error}", flush=True)
            self.respond(401)
            return
        self.respond(204)
        # The same event can be delivered twice.
        if event.id in known:
            return
        known.add(event.id)
        if isinstance(event, TaskProofSubmittedEvent):
            print(f"look at {event.data.task.id}", flush=True)
        else:
            print(event.type, flush=True)

    def respond(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Without a line per request."""


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
