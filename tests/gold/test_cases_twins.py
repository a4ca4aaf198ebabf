"""Which cases are one question or one answer, and what must be hidden while a case runs."""

from stef.gold.cases import base_id, expand_paraphrases, hidden_ids, twins
from stef.records.case import Case


def case(id_: str, question: str, *gold: str, database: str = "shop", **more: object) -> Case:
    return Case(id=id_, question=question, gold_sql=gold, database=database, **more)  # type: ignore[arg-type]


def test_twins_share_an_answer_whatever_its_spelling():
    """Aliases, case of names, order of conditions and a semicolon are no difference; another constant is."""
    found = twins(
        [
            case("a", "Names?", "SELECT name FROM item WHERE price > 5 AND kind = 'x'"),
            case("b", "What are they called?", "select T1.NAME from item as T1 where T1.kind = 'x' and T1.price > 5;"),
            case("c", "Others?", "SELECT name FROM item WHERE price > 6 AND kind = 'x'"),
        ]
    )
    assert found == {"a": ("b",), "b": ("a",), "c": ()}


def test_any_acceptable_gold_makes_a_twin():
    """One shared query of several is enough; twins of twins are not twins."""
    found = twins(
        [
            case("a", "A?", "SELECT 1 FROM a"),
            case("b", "B?", "SELECT 2 FROM b", "SELECT 1 FROM a"),
            case("c", "C?", "SELECT 2 FROM b"),
        ]
    )
    assert found == {"a": ("b",), "b": ("a", "c"), "c": ("b",)}


def test_the_same_words_make_twins():
    """A question that another case asks, or names as a paraphrase: case, spaces and the final sign aside."""
    found = twins(
        [
            case("a", "How many  items?", "SELECT 1 FROM a"),
            case("b", "how many items", "SELECT 2 FROM b"),
            case("c", "Count.", "SELECT 3 FROM c", paraphrases=("How many items ?",)),
        ]
    )
    assert found == {"a": ("b", "c"), "b": ("a", "c"), "c": ("a", "b")}


def test_another_database_has_no_twins():
    """The same text means another thing on other data."""
    found = twins(
        [case("a", "How many?", "SELECT 1 FROM a"), case("b", "How many?", "SELECT 1 FROM a", database="zoo")]
    )
    assert found == {"a": (), "b": ()}


def test_a_gold_that_cannot_be_read_is_a_twin_of_its_own_text():
    """Where there is no Spec the text counts."""
    found = twins(
        [case("a", "A?", "SELEC broken("), case("b", "B?", "SELEC  broken(;"), case("c", "C?", "SELEC other(")]
    )
    assert found["a"] == ("b",)
    assert found["c"] == ()


def test_a_paraphrase_is_its_case():
    """Paraphrases are cases with ids of their own, the same gold and twins; they are no twins of each other."""
    cases = [
        case("a", "How many?", "SELECT 1 FROM a", paraphrases=("Count.", "Number?")),
        case("b", "Total?", "SELECT 1 FROM a"),
    ]
    whole = expand_paraphrases(cases)
    assert [(one.id, one.question) for one in whole] == [
        ("a", "How many?"),
        ("a#p1", "Count."),
        ("a#p2", "Number?"),
        ("b", "Total?"),
    ]
    assert all(one.gold_sql == ("SELECT 1 FROM a",) for one in whole)
    assert twins(whole) == {"a": ("b",), "a#p1": ("b",), "a#p2": ("b",), "b": ("a",)}
    assert [base_id(one.id) for one in whole] == ["a", "a", "a", "b"]
    assert base_id("#p1") == "#p1"
    assert base_id("a#px") == "a#px"


def test_all_phrasings_of_a_case_and_its_twins_are_hidden():
    """Whether the set is written out or not, the same ids are hidden: the case's own first."""
    cases = [
        case("a", "How many?", "SELECT 1 FROM a", paraphrases=("Count.",)),
        case("b", "Total?", "SELECT 1 FROM a", paraphrases=("Sum?",)),
        case("c", "Else?", "SELECT 2 FROM a"),
    ]
    assert hidden_ids(cases) == {"a": ("a", "a#p1", "b", "b#p1"), "b": ("b", "b#p1", "a", "a#p1"), "c": ("c",)}
    assert hidden_ids(expand_paraphrases(cases))["a#p1"] == ("a", "a#p1", "b", "b#p1")


def test_a_better_notion_of_sameness_can_be_lent():
    """With a schema at hand more is known of a query than without."""
    found = twins([case("a", "A?", "SELECT 1"), case("b", "B?", "SELECT 2")], canonical=lambda _case, _sql: "one")
    assert found == {"a": ("b",), "b": ("a",)}
