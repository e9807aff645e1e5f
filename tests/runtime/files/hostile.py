"""Texts that would end, begin or run something in one format or another, and readers that tell what came of
them.
"""

from __future__ import annotations

from html.parser import HTMLParser

from schedsolve.runtime.errors import one_line

TEXTS = (
    "",
    " ",
    "plain",
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    "a\\",
    '\\"""',
    '""";__import__("os").system("touch\\x20PWNED");"""',
    "a\nb",
    "1\n-1 0\np cnf 1 1\n1 0\n",
    "\r",
    "\t=1+1",
    "\0",
    "\x1b[31m",
    "\x85",
    "\u2028",
    "\u202eabc",
    "\ud800",
    "</script><script>alert(1)</script>",
    "</title><!--",
    "-->",
    "--->",
    "a--",
    "]]>",
    "&lt;&#60;",
    ' id="x" style="y"',
    "\\end{tabular}\\input{x}",
    "$x$",
    "$\\frac$",
    "$",
    "%(prog)s %d 100%",
    "{x} {0} ${x} $title",
    "a|b||",
    "`code` *b* _i_ **x** ~~y~~",
    "[x](http://x) ![y](z) #",
    "=cmd()|' /C calc'!A0",
    "+1+1",
    "-x",
    "-3",
    "-3/2",
    "@SUM(1)",
    "\uff1d1+1",
    "'=1",
    "''",
    "; rm -rf / && $(x) > y",
    "data| {}",
    "* #variable= 3",
    "End",
    "[1]--- ,, ''",
    "_hidden",
    "min",
    "ü ß \u6f22\u5b57 \U0001f600",
    "x" * 5000,
    "word " * 500,
)
PRINTABLE = tuple(text for text in TEXTS if text.isprintable() and text)
"""Those that a file may give as labels."""


class Page(HTMLParser):
    """What a reader of HTML sees: the texts by the element that they stand in, and the elements."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: dict[str, list[str]] = {}
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.comments: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[self.inside[-1]][-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def words(text: str) -> str:
    """A text as it is read where blanks and line breaks are all the same."""
    return " ".join(one_line(" ".join(text.split())).split())
