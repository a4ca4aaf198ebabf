"""What a report of a RUN takes: size of the page, CPU seconds and memory to make it.

python bench/report_speed.py RUN…
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

from stef.report.build import Asked, build_report
from stef.report.page import report_page


def main() -> None:
    """One line a RUN; memory is the most that the process held so far, so that one RUN a call is exact."""
    for path in sys.argv[1:]:
        start = time.process_time()
        report = build_report(Asked([Path(path)]))
        read = time.process_time()
        page = Path(tempfile.mkdtemp()) / "report.html"
        page.write_text(report_page(report, 10_000), encoding="utf-8")
        made = time.process_time()
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = page.stat().st_size / 1e6
        print(f"{path}: {size:.2f} MB, {read - start:.1f} s to read, {made - read:.1f} s to write, {held:.0f} MB held")


if __name__ == "__main__":
    main()
