"""How often Python's garbage collector looks for cycles in a process that does nothing but score turns."""

import gc


def collect_seldom() -> None:
    """From now on look for cycles rarely, and not among what is there already. It holds for the whole process.

    Turns come and go and hold no cycles: a look at everything after every 700 objects finds nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
