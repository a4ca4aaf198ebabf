"""A server that judges: it speaks OpenAI's API on loopback, answers by the request alone, and fails as it is told to.

python bench/judge_server.py --latency 2 [--faults 0.3] [--log CALLS] [--port 0]

It prints its port, and writes the digest of every request to --log as soon as it has come (one line of hex each), so
that whoever kills its clients can count what was asked. It ends with its standard input. GET /stats tells the counts.
"""

import argparse
import asyncio
import hashlib
import json
import random
import sys
import time
from collections import Counter, deque
from typing import Any, BinaryIO

VERDICTS = ("correct", "likely_correct", "potentially_incorrect", "incorrect")
FAULTS = ("429", "500", "503", "cut", "drop", "stall", "not_json", "off_scale", "empty", "gateway")
STALL = 5.0


class Judge:
    """What is answered, how fast, and what goes wrong."""

    def __init__(self, latency: float, faults: float, seed: int, log: BinaryIO | None) -> None:
        self.latency = latency
        self.faults = faults
        self.log = log
        self.counts: Counter[str] = Counter()
        self.in_flight = 0
        self.most = 0
        self.down = False
        self.answered_at: deque[float] = deque(maxlen=100_000)
        self._random = random.Random(seed)

    def stats(self) -> dict[str, Any]:
        """What was asked and answered, and how long ago the last answers left, in seconds."""
        now = time.monotonic()
        ages = [round(now - at, 4) for at in self.answered_at if now - at < 5.0]
        return {**self.counts, "in_flight": self.in_flight, "most_in_flight": self.most, "ages": ages}

    def fault(self) -> str | None:
        """The fault that this request meets, by chance."""
        if self.down:
            return "503"
        return self._random.choice(FAULTS) if self._random.random() < self.faults else None


def content_of(body: bytes) -> str:
    """A verdict: a function of what was asked, word for word."""
    digest = hashlib.sha256(body).digest()
    reply = {
        "reasons": [f"said by request {digest.hex()[:8]}"],
        "verdict": VERDICTS[digest[0] % 4],
        "confidence": round(0.5 + digest[1] / 512, 3),
    }
    return json.dumps(reply)


def completion(content: str, body: bytes) -> bytes:
    """A chat completion."""
    usage = {"prompt_tokens": len(body) // 4, "completion_tokens": len(content) // 4}
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return json.dumps({"id": "c", "object": "chat.completion", "choices": [choice], "usage": usage}).encode()


class Connection(asyncio.Protocol):
    """HTTP/1.1, as much of it as clients of an API use."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._buffer = b""
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has come."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Bytes of one request after the other."""
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, _, rest = self._buffer.partition(b"\r\n\r\n")
            length = 0
            for line in head.split(b"\r\n")[1:]:
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if len(rest) < length:
                return
            body, self._buffer = rest[:length], rest[length:]
            self._request(head, body)

    def _request(self, head: bytes, body: bytes) -> None:
        judge = self._judge
        path = head.split(b" ", 2)[1]
        if path.startswith(b"/stats"):
            self._send(200, json.dumps(judge.stats()).encode())
            return
        if path.startswith((b"/down", b"/up")):
            judge.down = path.startswith(b"/down")
            self._send(200, b"{}")
            return
        judge.counts["requests"] += 1
        if judge.log is not None:
            judge.log.write(hashlib.sha256(body).hexdigest().encode() + b"\n")
        fault = judge.fault()
        if fault is not None:
            judge.counts[fault] += 1
        judge.in_flight += 1
        judge.most = max(judge.most, judge.in_flight)
        delay = STALL if fault == "stall" else judge.latency
        asyncio.get_running_loop().call_later(delay, self._answer, body, fault)

    def _answer(self, body: bytes, fault: str | None) -> None:
        self._judge.in_flight -= 1
        match fault:
            case None:
                self._judge.counts["answered"] += 1
                self._judge.answered_at.append(time.monotonic())
                self._send(200, completion(content_of(body), body))
            case "429":
                self._send(429, b'{"error": {"message": "slow down", "code": "rate_limited"}}', b"Retry-After: 1\r\n")
            case "500" | "503":
                self._send(int(fault), b'{"error": {"message": "not now"}}')
            case "cut":
                whole = completion(content_of(body), body)
                self._send(200, whole[: len(whole) // 2], length=len(whole))
                self._transport.close()
            case "drop" | "stall":
                self._transport.abort()
            case "not_json":
                self._send(200, b"<html>busy</html>")
            case "off_scale":
                self._send(200, completion('{"reasons": [], "verdict": "so-so", "confidence": 0.5}', body))
            case "empty":
                self._send(200, completion("", body))
            case _:
                self._send(200, b'{"error": {"message": "the model behind is gone", "code": 502}}')

    def _send(self, status: int, body: bytes, headers: bytes = b"", length: int | None = None) -> None:
        if self._transport.is_closing():
            return
        start = b"HTTP/1.1 %d x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n" % (
            status,
            len(body) if length is None else length,
        )
        self._transport.write(start + headers + b"\r\n" + body)


async def serve(judge: Judge, port: int) -> None:
    """Serve until standard input ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(judge), "127.0.0.1", port, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before an answer")
    parser.add_argument("--faults", type=float, default=0.0, help="share of requests that meet a fault")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", help="file that every request's digest is appended to")
    options = parser.parse_args()
    log = open(options.log, "ab", buffering=0) if options.log else None  # noqa: PTH123, SIM115  as long as the process
    asyncio.run(serve(Judge(options.latency, options.faults, options.seed, log), options.port))


if __name__ == "__main__":
    main()
