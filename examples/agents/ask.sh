#!/bin/sh
# The shortest agent: command:examples/agents/ask.sh
exec python3 "$(dirname "$0")/command.py"
