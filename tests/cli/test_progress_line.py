"""The line that a person watches."""

from collections import Counter

from stef.cli.progress_line import ProgressLine
from stef.runs.job import Progress


def line(progress: Progress, seconds: float) -> str:
    """The line after so many seconds."""
    times = iter([0.0, seconds])
    return ProgressLine(lambda: next(times)).text(progress)


def test_all_of_it() -> None:
    """Turns, rate, time, cost so far and to come, reasons, broken lines."""
    unscored = Counter(empty=7, judge_unavailable=3, unparsable=2, declined=1)
    progress = Progress(1500, 500, 2, 11_500, unscored, calls=800, kept=100, cost=4.0)
    assert line(progress, 100.0) == (
        "1,500 of about 11,500 turns (500 before) · 10/s · about 17 min to go · 800 calls, 100 kept, $4.00 and about "
        "$40.00 to come · unscored: 7 empty, 3 judge_unavailable, 2 unparsable and 1 more · 2 broken lines"
    )


def test_what_is_not_known_is_not_said() -> None:
    """No guess without a number to go by."""
    assert line(Progress(20), 10.0) == "20 turns · 2.0/s"
    assert line(Progress(20, 20, expected=50), 10.0) == "20 of about 50 turns (20 before) · 0.0/s"
    assert line(Progress(60, expected=50), 10.0) == "60 turns · 6.0/s"
