"""What is to be said of labels that could not be used."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stef.cli.screen import count, one_line

if TYPE_CHECKING:
    from stef.runs.labelled import LabelledRun
    from stef.runs.labels import Labels, Trouble

_WORDS = {
    "broken": ("broken line", "broken lines", "could not be read"),
    "without_id": ("label without an id", "labels without an id", "left out"),
    "unclear": ("label that says neither right nor wrong", "labels that say neither right nor wrong", "left out"),
    "contradicted": ("id with contradicting labels", "ids with contradicting labels", "left out"),
    "repeated": ("label given twice", "labels given twice", "counted once"),
    "unknown": ("label of a turn that is not in the RUN", "labels of turns that are not in the RUN", "left out"),
    "ambiguous": (
        "labelled id that several different turns share",
        "labelled ids that several different turns share",
        "left out; label rows instead, with ids such as #17",
    ),
}


def troubles(labels: "Labels", labelled: "LabelledRun") -> dict[str, "Trouble"]:
    """What was wrong with the labels, by name."""
    return {
        "broken": labels.broken,
        "without_id": labels.without_id,
        "unclear": labels.unclear,
        "contradicted": labels.contradicted,
        "repeated": labels.repeated,
        "unknown": labelled.unknown,
        "ambiguous": labelled.ambiguous,
    }


def label_remarks(labels: "Labels", labelled: "LabelledRun") -> Iterator[str]:
    """One line for each kind of trouble, with what was done about it and an example."""
    for name, trouble in troubles(labels, labelled).items():
        if trouble.count:
            thing, things, done = _WORDS[name]
            yield f"{count(trouble.count, thing, things)}: {done}, such as {one_line(trouble.examples[0], 100)}"
    if labels.blank:
        yield f"{count(labels.blank, 'record')} without a label yet"
    if labelled.alike:
        yield f"{count(labelled.alike, 'turn')} with the same id, question and SQL as a labelled one: left out"
