"""Many turns: read logs, fan out, go on after a stop, and write a RUN."""
