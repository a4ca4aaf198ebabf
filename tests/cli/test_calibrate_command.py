"""`stef calibrate`, and the calibration in `stef score`, `rescore`, `explain` and `agree`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Done, parquet_rows, turn, write_jsonl

CITIES = [f"City{letter}{number}" for letter in "ABCDEF" for number in range(5)]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """60 turns: for each city one that filters on it, and one that forgets to."""
    turns = []
    for number, city in enumerate(CITIES):
        question = f"How many customers live in {city}?"
        turns.append(turn(f"{number}-right", "1", question, f"SELECT COUNT(*) FROM customers WHERE city = '{city}'"))
        turns.append(turn(f"{number}-wrong", "1", question, "SELECT COUNT(*) FROM customers"))
    return write_jsonl(tmp_path / "log.jsonl", turns)


@pytest.fixture
def run(log: Path, tmp_path: Path, stef: Callable[..., Done]) -> Path:
    """A RUN of them."""
    assert stef("score", log, "-o", tmp_path / "run", "--quiet").code == 0
    return tmp_path / "run"


def labels_of(path: Path, labels: dict[str, Any]) -> Path:
    return write_jsonl(path, [{"id": name, "correct": correct} for name, correct in labels.items()])


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """The judge is right about most of them; one in six labels says otherwise."""
    named = {f"{n}-{kind}": (kind == "right") != (n % 6 == 0) for n in range(30) for kind in ("right", "wrong")}
    return labels_of(tmp_path / "labels.jsonl", named)


@pytest.fixture
def calibration(run: Path, labels: Path, tmp_path: Path, stef: Callable[..., Done]) -> Path:
    """A calibration of the symbolic judge."""
    done = stef("calibrate", run, labels, "-o", tmp_path / "cal.json", "--date", "2025-01-31")
    assert done.code == 0, done.err
    return tmp_path / "cal.json"


def test_the_file_says_what_it_was_fitted_on(calibration: Path) -> None:
    """Judge, rules, labels and date."""
    content = json.loads(calibration.read_text())
    fitted = content["fitted_on"]
    assert (fitted["judge"], fitted["labels"], fitted["right"], fitted["questions"]) == ("symbolic", 60, 30, 30)
    assert fitted["date"] == "2025-01-31"
    assert fitted["rules"].keys() == {"default"}
    assert content["map"]["method"] == "platt"
    assert content["cross_validation"].keys() == {"folds", "before", "after", "by_chance"}


def test_the_same_labels_give_the_same_file(
    run: Path, labels: Path, calibration: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """Nothing in it is drawn, and the date is the caller's."""
    assert stef("calibrate", run, labels, "-o", tmp_path / "again.json", "--date", "2025-01-31").code == 0
    assert (tmp_path / "again.json").read_bytes() == calibration.read_bytes()


def test_what_is_printed(run: Path, labels: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """The error before and after, and what becomes of a few probabilities."""
    done = stef("calibrate", run, labels, "-o", tmp_path / "cal.json")
    for text in (
        "platt map, fitted on 60 labels (30 right) of 30 questions, for the judge symbolic",
        "on labels that the map had not seen",
        "60 labels make a rough map",
        "0.9→",
        "stef score LOG -o RUN --calibration",
    ):
        assert text in done.out, text
    document = json.loads(stef("calibrate", run, labels, "-o", tmp_path / "cal.json", "--json").out)
    assert document["calibration"] == json.loads((tmp_path / "cal.json").read_text())
    assert stef("calibrate", run, labels, "-o", tmp_path / "cal.json", "--method", "isotonic").code == 0
    assert json.loads((tmp_path / "cal.json").read_text())["map"]["method"] == "isotonic"


def test_score_and_rescore_apply_it_alike(
    log: Path, run: Path, calibration: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """The same rows, whether it was there from the start or came later; the verdicts are the judge's."""
    scored, rescored = tmp_path / "scored", tmp_path / "rescored"
    assert stef("score", log, "-o", scored, "--calibration", calibration, "--quiet").code == 0
    assert stef("rescore", run, "-o", rescored, "--calibration", calibration).code == 0
    assert parquet_rows(scored) == parquet_rows(rescored)
    for raw, mapped in zip(parquet_rows(run), parquet_rows(scored), strict=True):
        assert mapped["verdict"] == raw["verdict"]
        assert mapped["p_correct_raw"] == raw["p_correct"]
        right = mapped["verdict"] in ("correct", "likely_correct")
        assert mapped["confidence"] == pytest.approx(mapped["p_correct"] if right else 1 - mapped["p_correct"])
        assert raw["p_correct_raw"] is None
    for folder in (scored, rescored):
        recorded = json.loads((folder / "run.json").read_text())["settings"]["evaluation"]["calibration"]
        assert (recorded["method"], recorded["labels"], recorded["date"]) == ("platt", 60, "2025-01-31")


def test_what_others_say_of_it(
    run: Path, labels: Path, calibration: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """`explain` shows both probabilities; `agree` names the map, and finds the error lower."""
    mapped = tmp_path / "mapped"
    assert stef("rescore", run, "-o", mapped, "--calibration", calibration).code == 0
    assert "the judge itself says" in stef("explain", mapped, "0-right").out
    assert "Calibrated: platt map" in stef("agree", mapped, labels).out
    before, after = (json.loads(stef("agree", one, labels, "--json").out)["overall"] for one in (run, mapped))
    assert after["figures"]["auc"] == before["figures"]["auc"]
    assert after["figures"]["calibration_error"]["value"] < before["figures"]["calibration_error"]["value"]


def test_a_calibrated_run_is_calibrated_from_what_the_judge_said(
    run: Path, labels: Path, calibration: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """No map is fitted on, or put on top of, another."""
    mapped, again = tmp_path / "mapped", tmp_path / "again.json"
    assert stef("rescore", run, "-o", mapped, "--calibration", calibration).code == 0
    assert stef("calibrate", mapped, labels, "-o", again, "--date", "2025-01-31").code == 0
    assert again.read_bytes() == calibration.read_bytes()
    assert stef("rescore", mapped, "-o", tmp_path / "twice", "--calibration", calibration).code == 0
    assert parquet_rows(tmp_path / "twice") == parquet_rows(mapped)
    assert stef("rescore", mapped, "-o", tmp_path / "kept").code == 0
    assert parquet_rows(tmp_path / "kept") == parquet_rows(mapped)


def test_another_judges_calibration_is_refused(
    log: Path, run: Path, calibration: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """Unless it is forced, and then it is said."""
    content = json.loads(calibration.read_text())
    content["fitted_on"]["judge"] = "openai:some-model"
    calibration.write_text(json.dumps(content))
    for command in (("score", log), ("rescore", run)):
        done = stef(*command, "-o", tmp_path / "new", "--calibration", calibration)
        assert (done.code, done.out) == (2, "")
        assert "openai:some-model, not symbolic" in done.err
        assert not (tmp_path / "new").exists()
        forced = stef(*command, "-o", tmp_path / f"forced-{command[0]}", "--calibration", calibration, "--force")
        assert forced.code == 0
        assert "applied by --force" in forced.err


def test_another_model_of_the_symbolic_judge_is_another_judge(
    log: Path, calibration: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """A newly fitted one says other probabilities under the same name."""
    content = json.loads(calibration.read_text())
    content["fitted_on"]["judge_settings"]["model"] = "0-older"
    calibration.write_text(json.dumps(content))
    done = stef("score", log, "-o", tmp_path / "new", "--calibration", calibration)
    assert done.code == 2
    assert "symbolic with the model 0-older" in done.err


def test_other_rules_are_remarked_on(log: Path, calibration: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """They change what the judge sees, not who it is."""
    (tmp_path / "rules.json").write_text('{"app": "shop", "notes": ["Customers are people."]}')
    done = stef("score", log, "-o", tmp_path / "new", "--calibration", calibration, "--rules", tmp_path / "rules.json")
    assert done.code == 0, done.err
    assert "fitted under other rules" in done.err
    again = stef("rescore", tmp_path / "new", "--calibration", calibration)
    assert "default weights" in again.err


def test_a_run_with_another_calibration_is_another_run(
    log: Path, run: Path, calibration: Path, stef: Callable[..., Done]
) -> None:
    """A finished RUN without one is not taken for one with it."""
    done = stef("score", log, "-o", run, "--calibration", calibration)
    assert done.code == 2
    assert "calibration was null" in done.err


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ({"0-right": True, "0-wrong": False}, ["too few labels", "2 labelled turns", "at the least", "stef agree"]),
        ({f"{n}-right": True for n in range(12)}, ["one kind only", "12 right, 0 wrong"]),
        ({"nobody": True}, ["none of 1 labels"]),
    ],
)
def test_labels_that_cannot_calibrate(
    named: dict[str, bool], says: list[str], run: Path, tmp_path: Path, stef: Callable[..., Done]
) -> None:
    """The message says what there is and what is missing; no file is written."""
    done = stef("calibrate", run, labels_of(tmp_path / "l.jsonl", named), "-o", tmp_path / "cal.json")
    assert (done.code, done.out) == (2, "")
    assert [word for word in says if word not in done.err] == []
    assert not (tmp_path / "cal.json").exists()


@pytest.mark.parametrize("option", [["--method", "magic"], ["--date", "yesterday"]])
def test_wrong_options(option: list[str], run: Path, labels: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """The user's mistake, named."""
    done = stef("calibrate", run, labels, "-o", tmp_path / "cal.json", *option)
    assert done.code == 2
    assert option[1] in done.err


def test_a_judge_that_tells_nothing_apart(run: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Labels that say the opposite of the judge leave one probability for all, and it is said."""
    named = {f"{n}-{kind}": kind == "wrong" for n in range(30) for kind in ("right", "wrong")}
    done = stef("calibrate", run, labels_of(tmp_path / "l.jsonl", named), "-o", tmp_path / "cal.json")
    assert done.code == 0
    assert "the same probability" in done.out


def test_files_that_are_no_calibration(log: Path, tmp_path: Path, stef: Callable[..., Done]) -> None:
    """Missing, broken, or something else."""
    (tmp_path / "cal.json").write_text("{}")
    for name in ("no.json", "cal.json", "log.jsonl"):
        done = stef("score", log, "-o", tmp_path / "new", "--calibration", tmp_path / name)
        assert (done.code, done.out) == (2, ""), name
        assert name in done.err
        assert not (tmp_path / "new").exists()
