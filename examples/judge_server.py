"""A stand-in for an OpenAI-compatible server, to try `--judge openai:MODEL --base-url` without a model or a key.

python examples/judge_server.py 8765

It answers every request with the same verdict, so its scores mean nothing.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

VERDICT = {"reasons": ["a stand-in judged, no model"], "verdict": "likely_correct", "confidence": 0.7}


class Handler(BaseHTTPRequestHandler):
    """Replies to `POST …/chat/completions`."""

    def do_POST(self) -> None:
        """Read the request away, and answer."""
        self.rfile.read(int(self.headers.get("content-length", 0)))
        message = {"role": "assistant", "content": json.dumps(VERDICT)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        answer = {"id": "0", "object": "chat.completion", "created": 0, "model": "stand-in", "choices": [choice]}
        body = json.dumps(answer | {"usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
