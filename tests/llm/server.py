"""A real HTTP server on loopback that speaks OpenAI's API, and fails as it is told to."""

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Responder = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
GOOD = '{"reasons": ["the date test is what was asked"], "verdict": "correct", "confidence": 0.9}'


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
    handler.send_response(status)
    for name, value in {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **(headers or {}),
    }.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def completion(content: str | None, finish: str = "stop", refusal: str | None = None, model: str = "m") -> bytes:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    body = {"id": "c1", "object": "chat.completion", "created": 0, "model": model, "choices": [choice], "usage": USAGE}
    return json.dumps(body).encode()


def reply(content: str | None, finish: str = "stop", refusal: str | None = None) -> Responder:
    """A good HTTP reply with this content."""
    return lambda handler, _asked: send(handler, 200, completion(content, finish, refusal))


def error(status: int, message: str = "no", code: str | None = None, **headers: str) -> Responder:
    """An error as OpenAI writes it."""
    body = json.dumps({"error": {"message": message, "type": "t", "param": None, "code": code}}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, _asked: send(handler, status, body, named)


def raw(body: bytes, status: int = 200) -> Responder:
    """Any body."""
    return lambda handler, _asked: send(handler, status, body)


def cut(handler: BaseHTTPRequestHandler, _asked: dict[str, Any]) -> None:
    """A body that ends in the middle of what its length promises."""
    body = completion(GOOD)
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.close_connection = True


def drop(handler: BaseHTTPRequestHandler, _asked: dict[str, Any]) -> None:
    """No reply at all: the connection is closed."""
    handler.close_connection = True


def stall(handler: BaseHTTPRequestHandler, _asked: dict[str, Any]) -> None:
    """A reply that comes too late."""
    time.sleep(8)
    handler.close_connection = True


def refuses(parameter: str, message: str, then: Responder) -> Responder:
    """A server that answers 400 as long as `parameter` is asked for in one of its ways."""

    def respond(handler: BaseHTTPRequestHandler, asked: dict[str, Any]) -> None:
        if parameter in json.dumps(asked):
            error(400, message)(handler, asked)
        else:
            then(handler, asked)

    return respond


@dataclass
class Server:
    """The server: where it listens, and every request that it saw."""

    url: str
    script: list[Responder]
    seen: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    closed: bool = False

    def next(self) -> Responder:
        """The next step of the script; the last one stays."""
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


@contextmanager
def serving(steps: Iterable[Responder]) -> Iterator[Server]:
    """Serve `steps`, one a request, the last one for all that follow."""
    server = Server("", list(steps))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if server.closed:  # over a connection that was kept
                self.close_connection = True
                return
            asked = json.loads(body)
            server.seen.append(asked)
            server.keys.append(self.headers.get("Authorization"))
            server.paths.append(self.path)
            server.next()(self, asked)

        def log_message(self, *_args: object) -> None:
            """Silence."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closed = True
        http.shutdown()
        http.server_close()
        thread.join()
