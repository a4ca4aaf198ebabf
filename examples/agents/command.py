"""An agent that is a command: the request is JSON on its input, and the reply JSON (or plain SQL) on its output."""

import json
import sys

from ask import ask

request = json.load(sys.stdin)
print(json.dumps(ask(request["question"], tuple(request.get("hide", ())))))
