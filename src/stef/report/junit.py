"""`stef report --junit`: gates as test cases and, for a gold RUN, one test case for each turn."""

import re
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from stef.records.gold import CaseReport
from stef.report.gates import Result
from stef.report.gold import GoldReport, gold_name
from stef.report.model import Report
from stef.report.text import words
from stef.runs.gold.summary import record_of

MARKER = '<testsuites name="stef report"'
_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def report_junit(report: Report) -> str:
    """The XML. A scored turn has no pass mark, so that only gates are test cases there; a gold turn is right or not.

    Of a gold RUN a wrong turn is a failure with its cause, one without a verdict is skipped, a fault of stef's own or
    of the database is an error.
    """
    suites = [_gates(report.gates), *(_cases(one) for one in report.gold)]
    root = Element("testsuites", name="stef report")
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    root.extend(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _gates(results: Sequence[Result]) -> Element:
    suite = Element("testsuite", name="gates")
    for one in results:
        case = SubElement(suite, "testcase", classname="stef.gates", name=_text(one.gate))
        if one.failures:
            failure = SubElement(case, "failure", message=_text(one.failures[0]))
            failure.text = _text("\n".join(one.failures))
    return _counted(suite)


def _cases(report: GoldReport) -> Element:
    suite = Element("testsuite", name=_text(str(report.run.path)))
    for row in report.run.rows(("row", "record")):
        record = record_of(report.run, row)
        name = f"{record.case_id} [{record.phrasing}]" if record.phrasing else record.case_id
        agent = gold_name(record.agent, record.agent_version).replace(".", "_")
        case = SubElement(suite, "testcase", classname=_text(agent), name=_text(name))
        if record.reply.seconds is not None:
            case.set("time", f"{record.reply.seconds:.3f}")
        for kind, message in _verdict(record.report):
            found = SubElement(case, kind, message=_text(message))
            found.text = _text(f"{message}\n\nquestion: {record.question}\n\nSQL: {record.sql or '(none)'}")
    return _counted(suite)


_OTHERS = frozenset({"harness_fault", "database_down"})


def _verdict(report: CaseReport) -> Iterator[tuple[str, str]]:
    cause = report.bucket.value if report.bucket else ""
    if cause in _OTHERS:
        yield "error", report.faults[0].message if report.faults else words(cause)
    elif report.held_out or report.correct is None:
        yield "skipped", words(cause) or "no verdict"
    elif not report.correct:
        yield "failure", words(cause) or "wrong"


def _counted(suite: Element) -> Element:
    suite.set("tests", str(len(suite)))
    for kind, key in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(key, str(len(suite.findall(f"./testcase/{kind}"))))
    return suite


def _text(text: str) -> str:
    """Text without the characters that XML cannot hold at all."""
    return _NOT_XML.sub("\ufffd", text)
