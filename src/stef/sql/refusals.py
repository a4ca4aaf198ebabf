"""Whether a text that stands where SQL should stand says that there is none."""

from stef.sql.replies.says import Says, says


def looks_like_refusal(text: str, markers: tuple[str, ...] = ()) -> bool:
    """Whether `text` declines to answer: an apology, a missing table or column.

    `markers` are an application's own phrases for it; each counts wherever it stands, whatever its case. Only text that
    holds no query should be asked: a constant such as `SELECT 'no data'` is a query.
    """
    return says(text, markers) is Says.DECLINES
