"""CPU a call of the client that asks a judge's server, beside the openai SDK over its own transport.

python bench/client.py [--calls 5000] [--latency 0.5] [--concurrency 256] [--json]

Both put the same questions to the same server, which runs in a process of its own, and both check what comes back.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable

from openai import AsyncOpenAI
from serving import serving

from stef.llm.chat import ChatSettings
from stef.llm.client import ChatRequest, Message
from stef.llm.gate import Gate, Limits
from stef.llm.openai_client import openai_client

PROMPT = "Does the SQL answer the question? " * 100
Ask = Callable[[str], Awaitable[str | None]]


async def through(ask: Ask, calls: int, concurrency: int) -> float:
    """CPU milliseconds a call, with so many in flight."""
    room = asyncio.Semaphore(concurrency)

    async def one(number: int) -> None:
        async with room:
            answer = await ask(f"{number}: {PROMPT}")
        if not answer:
            raise SystemExit("a call without an answer")

    start = time.process_time()
    await asyncio.gather(*(one(number) for number in range(calls)))
    return 1000 * (time.process_time() - start) / calls


async def measured(url: str, options: argparse.Namespace) -> dict[str, float]:
    """Both, one after the other."""
    own = openai_client("test", None, url, ChatSettings(gate=Gate(Limits(concurrency=options.concurrency))))
    sdk = AsyncOpenAI(api_key="none", base_url=url)

    async def by_stef(text: str) -> str | None:
        return (await own.complete(ChatRequest((Message("user", text),)))).text

    async def by_sdk(text: str) -> str | None:
        reply = await sdk.chat.completions.create(model="test", messages=[{"role": "user", "content": text}])
        return reply.choices[0].message.content

    seen = {"stef": by_stef, "openai SDK": by_sdk}
    try:
        for ask in seen.values():  # the first call opens what is opened once
            await ask("hello")
        return {name: await through(ask, options.calls, options.concurrency) for name, ask in seen.items()}
    finally:
        await own.close()
        await sdk.close()


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=5_000)
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--concurrency", type=int, default=256)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    with serving("--latency", options.latency) as server:
        seen = asyncio.run(measured(f"http://127.0.0.1:{server.port}/v1", options))
    if options.json:
        print(json.dumps(seen))
        return
    for name, milliseconds in seen.items():
        print(f"{name:12} {milliseconds:6.3f} ms of CPU a call")


if __name__ == "__main__":
    main()
