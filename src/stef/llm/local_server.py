"""The process that serves a model file on this machine; `stef.llm.local` starts and ends it.

It says its address in one line of JSON on standard output, and ends when its standard input does: whoever started it
may be killed in any way.
"""

import json
import os
import signal
import sys


def main() -> None:
    """Serve the model file that the first argument names. The key is read from the first line of standard input."""
    path, context = sys.argv[1], int(sys.argv[2])
    # Ctrl-C reaches the whole group of processes; who started this one decides when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    key = sys.stdin.readline().strip()
    # What the engine prints must not be taken for the address.
    address = os.dup(1)
    os.dup2(2, 1)
    import xllamacpp  # type: ignore[import-untyped,unused-ignore,import-not-found]  # noqa: PLC0415  # the engine, a hundred megabytes

    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.model_alias = {os.path.basename(path)}  # noqa: PTH119  # nothing else of pathlib is needed
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [key]
    parameters.n_ctx = context
    parameters.n_parallel = 1
    parameters.ui = False
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    os.write(address, json.dumps({"address": server.listening_address}).encode() + b"\n")
    os.close(address)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
