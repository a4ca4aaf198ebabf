"""Is a question English enough to be read? Cheap, by script and by function words, and slow to say no.

A wrong "no" costs a turn its score, so the evidence has to be plain: more words of another language than of English,
or a text that is mostly written in another script. Keywords without grammar ("revenue per region 2024") are English.
"""

import re

from stef.question.wordlists import word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_QUOTED = re.compile(r"\"[^\"]{0,200}\"|“[^”]{0,200}”|(?<!\w)'[^']{0,200}'(?!\w)|`[^`]{0,200}`")

_ENGLISH = word_set(
    "the of is are what which how many much who whose when where list show find give for with each by from that and "
    "all name names number to in on at or not have has had do does did be been than their there his her its it per "
    "most average total count please tell me my we you i this these those between after before more less any every "
    "as was were will would can could should into over under during since if but between least only both other "
    "show get return display compute calculate sum last first top year month day week sales revenue customers orders "
    "users products price region country city report data give new old highest lowest"
)

# Function words and question words that are no English words (nor likely names).
_FOREIGN: tuple[tuple[str, frozenset[str]], ...] = (
    (
        "German",
        word_set(
            "der das und ist sind wie viele wieviel wieviele welche welcher welches welchen wer wo wann warum "
            "nicht mit von für auf ein eine einen einer eines dem den des im zu zum zur aus bei nach über unter "
            "zwischen oder alle haben hat wurde wurden werden gibt es sich auch nur mehr als durchschnittlich "
            "durchschnittliche anzahl namen zeige liste nenne umsatz kunden bestellungen jahr monat pro seit letzten "
            "letzte jedes jeder jede bitte gesamt höchste höchsten niedrigste"
        ),
    ),
    (
        "French",
        word_set(
            "le les des du et est sont quel quelle quels quelles combien qui où quand pourquoi avec dans pour par sur "
            "une un aux ont été plus moins chaque tous toutes entre nombre donne donnez moi liste listez affiche "
            "montre trouve trouver nom noms de ventes commandes moyenne année mois depuis dernier dernière "
            "l'année leur leurs cette ces ce il elle ne pas que y"
        ),
    ),
    (
        "Spanish",
        word_set(
            "el los las del y es son qué que cuál cuáles cual cuántos cuántas cuanto cuánto cuantos cuantas quién "
            "quiénes dónde cuándo por para con una un en se no tiene tienen cada todos todas entre más menos nombre "
            "nombres lista muestra muéstrame dame encuentra ventas clientes pedidos año mes promedio total desde "
            "último última mayor menor hay han sido de la región"
        )
        - {"no", "total"},
    ),
    (
        "Portuguese",
        word_set(
            "os as dos das do da e é são qual quais quantos quantas quanto quem onde quando por para com uma um em na "
            "nos não tem têm cada todos todas entre mais menos nome nomes liste mostre encontre vendas clientes "
            "pedidos ano mês média desde último última maior menor foram que de"
        )
        - {"as", "do", "e", "em"},
    ),
    (
        "Italian",
        word_set(
            "il gli le dei delle della dello degli del e è sono quale quali quanti quante quanto chi dove quando "
            "perché per con una un nel nella non ha hanno ogni tutti tutte tra fra più meno nome nomi elenca mostra "
            "mostrami trova vendite clienti ordini anno mese media dal ultimo ultima maggiore che di"
        )
        - {"e", "per", "media", "fra"},
    ),
    (
        "Dutch",
        word_set(
            "het een van zijn wat welke hoeveel wie waar wanneer waarom niet met voor op uit bij naar tussen of alle "
            "hebben heeft werd worden er ook meer dan gemiddelde aantal namen toon geef lijst omzet klanten "
            "bestellingen jaar maand per sinds laatste elke ieder de en"
        )
        - {"of", "op", "per"},
    ),
    (
        "Polish",
        word_set(
            "ile jest są jaki jaka jakie które który która kto gdzie kiedy dla nie się oraz lub wszystkie w z na "
            "do pokaż podaj liczba"
        )
        - {"do", "z", "w"},
    ),
    (
        "Swedish",
        word_set("och är hur många vilken vilka vem när inte med för från till den det ett alla har visa antal namnet")
        - {"den", "till", "het"},
    ),
    (
        "Turkish",
        word_set("kaç nedir hangi ve bir için olan tüm göster listele sayısı kim nerede toplam ortalama her nelerdir")
        - {"her"},
    ),
    (
        "Indonesian",
        word_set("berapa apa yang dan dari untuk dengan adalah semua tampilkan jumlah setiap pada"),
    ),
    ("Vietnamese", word_set("là bao nhiêu của có và những các tất cả trong cho tên số lượng")),
)

_ANY_FOREIGN = frozenset().union(*(vocabulary for _, vocabulary in _FOREIGN))

# Words that stand inside names ("Universidad de la Costa", "Ludwig van Beethoven"): alone they prove nothing.
_PARTICLES = word_set("de la le les el los las del der den des du dos das da di van von en y una un une san il")

# Characters that only grammar writes, so that a name in an English sentence is told from a sentence.
_GRAMMAR = frozenset("的了是有哪些多少吗呢のはをがにでか")

# A question word in any of these settles it where nothing is English.
_DECISIVE = word_set(
    "wieviele wieviel welche welches combien quelle quelles cuántos cuántas cuáles cuál quantos quantas quais quanti "
    "quante hoeveel berapa kaç hangi många bao"
)

_SCRIPTS: tuple[tuple[int, int, str], ...] = (
    (0x0370, 0x03FF, "Greek"),
    (0x0400, 0x052F, "Cyrillic"),
    (0x0530, 0x058F, "Armenian"),
    (0x0590, 0x05FF, "Hebrew"),
    (0x0600, 0x06FF, "Arabic"),
    (0x0750, 0x077F, "Arabic"),
    (0x0900, 0x0DFF, "Indic"),
    (0x0E00, 0x0E7F, "Thai"),
    (0x0E80, 0x0EFF, "Lao"),
    (0x1000, 0x109F, "Burmese"),
    (0x10A0, 0x10FF, "Georgian"),
    (0x1780, 0x17FF, "Khmer"),
    (0x3040, 0x30FF, "Japanese"),
    (0x3400, 0x9FFF, "Chinese"),
    (0xAC00, 0xD7AF, "Korean"),
    (0xF900, 0xFAFF, "Chinese"),
    (0x20000, 0x2FA1F, "Chinese"),
)


def foreign_language(text: str) -> str | None:
    """The language or script that `text` looks to be written in, or None where it can be read as English."""
    ascii_only = text.isascii()
    if not ascii_only:
        script = _other_script(text)
        if script is not None:
            return script
    words = text.lower().split()
    english = sum(1 for word in words if word.strip(".,;:?!()\"'") in _ENGLISH)
    # The usual case, settled without a second look.
    if english >= 2 and english * 5 >= len(words) * 2:
        return None
    return _other_latin(text)


def _other_script(text: str) -> str | None:
    counts: dict[str, int] = {}
    latin = 0
    for char in text:
        code = ord(char)
        if code < 0x250:
            latin += char.isalpha()
            continue
        for low, high, name in _SCRIPTS:
            if low <= code <= high:
                counts[name] = counts.get(name, 0) + 1
                break
    if not counts:
        return None
    other = sum(counts.values())
    english = sum(1 for word in _WORD.findall(text.lower()) if word in _ENGLISH)
    grammar = any(char in _GRAMMAR for char in text)
    if english >= 2 or (other < latin and not grammar):
        return None
    if "Japanese" in counts:
        return "Japanese"
    return max(counts, key=lambda name: counts[name])


def _other_latin(text: str) -> str | None:
    # What is quoted is a value, whatever its language.
    words = _WORD.findall(_QUOTED.sub(" ", text).lower().replace("’", "'"))
    if not words:
        return None
    known = [word for word in words if word in _ANY_FOREIGN]
    if not known:
        return None
    english = sum(1 for word in words if word in _ENGLISH)
    best, hits, kinds, plain = None, 0, 0, False
    for name, vocabulary in _FOREIGN:
        found = [word for word in known if word in vocabulary]
        if len(found) > hits:
            distinct = set(found)
            best, hits, kinds, plain = name, len(found), len(distinct), not distinct <= _PARTICLES
    if best is None or hits <= english:
        return None
    if kinds >= 2 and plain and hits * 5 >= len(words):
        return best
    if english == 0 and any(word in _DECISIVE for word in words):
        return best
    return None


def has_words(text: str) -> bool:
    """Whether there is a letter of any script in `text`."""
    return any(char.isalpha() for char in text)
