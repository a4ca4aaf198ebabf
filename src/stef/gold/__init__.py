"""Gold families: how an answer compares with a gold's on a live database."""
