"""What the tests of the ladder share: a small shop, and a model that answers by the prompt that it is sent."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from stef.databases import Databases, Limits
from stef.llm.chat import ChatSettings
from stef.llm.cost import Price
from stef.llm.openai_client import openai_client
from stef.llm.retry import RetryPolicy
from stef.records.turn import Turn
from stef.verify import Means, Places, Verification
from stef.verify.candidate import Candidate
from stef.verify.check import check

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT, fax TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount REAL, placed TEXT);
INSERT INTO customers VALUES (1, 'Ada Lovelace', 'España', NULL), (2, 'Alan Turing', 'England', NULL),
  (3, 'Grace Hopper', 'USA', NULL), (4, 'Emmy Noether', 'Germany', NULL);
INSERT INTO orders VALUES (1, 1, 100.0, '2024-01-05'), (2, 1, 250.0, '2024-02-10'), (3, 2, 50.5, '2024-02-11'),
  (4, 3, 99.5, '2024-03-01');
"""


def make_shop(folder: Path) -> str:
    """The shop as a SQLite file; its URL."""
    path = folder / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    return f"sqlite:///{path}"


def verified(url: str, turn: Turn, means: Means | None = None, limits: Limits | None = None) -> Verification:
    """One turn, checked on the database at `url`."""
    with Databases(url) as databases:
        candidate = Candidate(turn, Places(databases, limits or Limits(10, 10_000)).get(turn.database))
        return asyncio.run(_checked(candidate, means or Means()))


async def _checked(candidate: Candidate, means: Means) -> Verification:
    try:
        return await check(candidate, means)
    finally:
        if means.client is not None:
            await means.client.close()


def asked(question: str, sql: str | None, **more: Any) -> Turn:
    """A turn."""
    return Turn(id="t", question=question, sql=sql, **more)


def completion(content: str, tokens: int = 100) -> Response:
    """A reply as OpenAI writes it."""
    body = {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": tokens, "completion_tokens": 20, "total_tokens": tokens + 20},
    }
    return Response(json.dumps(body), content_type="application/json")


class Model:
    """A scripted model: its system message tells which reply a prompt gets. `seen` are the user messages by kind."""

    KINDS: ClassVar = {
        "say in plain English": "translate",
        "compare two requests": "compare",
        "write one SQL query": "write",
        "answered a user's question in words": "wording",
    }

    def __init__(self, server: HTTPServer, **replies: str | list[str] | Callable[[str], str] | Response) -> None:
        self.url = server.url_for("/v1")
        self.seen: dict[str, list[str]] = {}
        self._replies: dict[str, Any] = replies
        server.expect_request("/v1/chat/completions").respond_with_handler(self._reply)

    def _reply(self, request: Request) -> Response:
        messages = json.loads(request.data)["messages"]
        kind = next(kind for words, kind in self.KINDS.items() if words in messages[0]["content"])
        self.seen.setdefault(kind, []).append(messages[1]["content"])
        reply = self._replies[kind]
        if isinstance(reply, list):
            reply = reply.pop(0) if len(reply) > 1 else reply[0]
        if isinstance(reply, Response):
            return reply
        return completion(reply(messages[1]["content"]) if callable(reply) else reply)

    def client(self, **settings: Any) -> Any:
        """A client of it, which does not wait between attempts."""
        retry = RetryPolicy(max_attempts=2, max_wait=0.2)
        return openai_client("m", None, self.url, ChatSettings(retry=retry, price=Price(1.0, 2.0), **settings))


TRANSLATED = '{"request": "The number of customers."}'
SAME = '{"differences": [], "verdict": "same", "confidence": 0.95}'
DIFFERENT = '{"differences": ["the question asks for orders"], "verdict": "different", "confidence": 0.95}'


def writes(sql: str) -> str:
    """The reply of a model that writes this query."""
    return json.dumps({"sql": sql})
