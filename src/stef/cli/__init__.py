"""The `stef` command. Heavy imports are made inside the functions that need them, so that `--help` comes at once."""
