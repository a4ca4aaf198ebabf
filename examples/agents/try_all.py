"""Every kind of agent, asked one question: python examples/agents/try_all.py."""

import subprocess
import sys
from pathlib import Path

from stef.agents import leaks, open_agents, open_retriever
from stef.records.asking import AgentRequest

HERE = Path(__file__).parent
REQUEST = AgentRequest("How many orders were placed in 2024?", database="shop", hide=("orders-2024",), timeout=30)


def main() -> None:
    command = [sys.executable, HERE / "server.py", "0", "a-key"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        url = server.stdout.readline().strip() if server.stdout else ""
        for spec in ("ask.py:ask", "ask.sh", "command_agent.yaml", "http_agent.yaml", "turns.jsonl"):
            scheme = {"ask.py:ask": "python", "http_agent.yaml": "http", "turns.jsonl": "replay"}.get(spec, "command")
            for agent in open_agents(f"{scheme}:{HERE / spec}", environment={"SALES_URL": url, "SALES_KEY": "a-key"}):
                reply = agent.ask(REQUEST)
                leaked = leaks(reply.offered_examples, REQUEST.hide)
                print(f"{agent.name:13}  hides {agent.can_hide!s:5}  leaks {leaked}  {reply.turn.sql or reply.detail}")
                agent.close()
    finally:
        server.terminate()
        server.wait()
    found = open_retriever(f"python:{HERE / 'ask.py'}:find").retrieve(REQUEST)
    print(f"retriever      {', '.join(found.ddl)}")


if __name__ == "__main__":
    main()
