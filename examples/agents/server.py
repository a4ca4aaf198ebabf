"""An agent behind HTTP that replies as a chat with tool calls: python examples/agents/server.py PORT KEY."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ask import ask

KEY = sys.argv[2] if len(sys.argv) > 2 else "open-sesame"


class Handler(BaseHTTPRequestHandler):
    """POST /ask."""

    def do_POST(self) -> None:
        """Answer, to those who know the key."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] == f"Bearer {KEY}":
            self.send(200, chat(body["messages"][-1]["content"], tuple(body.get("exclude_examples", ()))))
        else:
            self.send(401, {"error": "unknown key"})

    def send(self, status: int, value: object) -> None:
        """Send `value` as JSON."""
        payload = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Quietly."""


def chat(question: str, hidden: tuple[str, ...]) -> dict[str, Any]:
    """The reply in the agent's own shape."""
    given = ask(question, hidden)
    arguments = json.dumps({"query": given["sql"]})
    return {
        "status": "OK",
        "messages": [
            {"role": "tool", "name": "find_tables", "content": given["tables_offered"]},
            {"role": "tool", "name": "find_examples", "content": given["examples"]},
            {"role": "assistant", "tool_calls": [{"function": {"name": "run_sql", "arguments": arguments}}]},
            {"role": "assistant", "content": "Here is what I found."},
        ],
        "usage": {"usd": 0.0004},
    }


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8321), Handler)
    print(f"http://127.0.0.1:{server.server_port}/ask", flush=True)
    server.serve_forever()
