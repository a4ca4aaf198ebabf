"""Number words, ordinals, marks and measures of everyday English, as data."""

CARDINALS: dict[str, int] = {
    word: value
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
            *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        )
    )
} | {
    word: 10 * tens
    for tens, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)
}
"""Number words below a hundred."""

SCALES: dict[str, int] = {
    "hundred": 100,
    "hundreds": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "dozen": 12,
}
"""Words that multiply what stands before them."""

ORDINALS: dict[str, int] = {
    word: value
    for value, word in enumerate(
        (
            *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
            *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
            *("eighteenth", "nineteenth", "twentieth"),
        ),
        1,
    )
} | {"thirtieth": 30, "fortieth": 40, "fiftieth": 50, "hundredth": 100}
"""Ordinal words."""

TIMES: dict[str, int] = {"once": 1, "twice": 2, "thrice": 3}
"""Words that say how often."""

FRACTIONS: dict[str, int] = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fourths": 4,
    "fifth": 5,
    "fifths": 5,
    "tenth": 10,
    "tenths": 10,
}
"""Denominators in words: "two thirds", "a quarter of"."""

SUFFIX_SCALES: dict[str, int] = {"k": 10**3, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9}
"""Letters right after digits that multiply: "3.5k", "2m"."""

CURRENCY_SIGNS = "$€£¥₹"
CURRENCY_WORDS = frozenset(
    {
        "dollar",
        "dollars",
        "usd",
        "eur",
        "euro",
        "euros",
        "gbp",
        "pounds",
        "cents",
        "yen",
        "jpy",
        "rupees",
        "inr",
        "yuan",
    }
)
PERCENT_WORDS = frozenset({"percent", "percentage", "pct"})

_UNITS = """
cm mm kg km mi mph g lb lbs oz ft h hr hrs min mins sec secs ms s gb mb tb kb kw kwh hp l ml px ha
year years month months week weeks day days hour hours minute minutes second seconds
millisecond milliseconds decade decades
meter meters metre metres kilometer kilometers kilometre kilometres
centimeter centimeters mile miles foot feet inch inches
kilogram kilograms kilo kilos gram grams pound ton tons tonne tonnes ounce ounces
liter liters litre litres gallon gallons degree degrees acre acres hectare hectares celsius fahrenheit
point points star stars time times
"""
UNITS = frozenset(_UNITS.split())
"""Words that say what a number measures."""

QUANTITY_WORDS = frozenset({*CARDINALS, *SCALES, *ORDINALS, *TIMES, "half", "thirds", "quarters", "minus", "negative"})
"""Words that can open a number."""
