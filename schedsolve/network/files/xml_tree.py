"""XML as elements that know their line, so that errors can name the place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import whole_number
from schedsolve.runtime.limits.budget import spend


@dataclass
class Element:
    """An element; `line` is where it begins, from 1, `content` the text in it, without its children's."""

    name: str
    attributes: Mapping[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    content: str = ""

    def all(self, *names: str) -> Iterator[Element]:
        """Yield the elements below this one that have one of the names, at any depth, in document order."""
        for child in self.children:
            if child.name in names:
                yield child
            yield from child.all(*names)

    def text(self, name: str) -> str:
        """Return an attribute.

        Raises
        ------
        InputError
            With the line, if the attribute is missing.
        """
        if name not in self.attributes:
            raise InputError(f"line {self.line}: <{self.name}> has no {name}")
        return self.attributes[name]

    def number(self, name: str, least: int = 0, most: int = 10**15) -> int:
        """Return an attribute as an integer.

        Raises
        ------
        InputError
            With the line, if the attribute is not an integer from `least` to `most`.
        """
        text = self.text(name).strip()
        value = whole_number(text, least, most, text=True)
        if value is None:
            raise InputError(
                f"line {self.line}: {name} of <{self.name}> is a whole number from {least} on, not"
                f" {shown(text)}"
            )
        return value


def read_xml(data: bytes, *, doctype: bool = False) -> Element:
    """Return the root element.

    Parameters
    ----------
    data
        The bytes of the file.
    doctype
        Whether it may name a document type, which is not looked up; entities of its own are never read.

    Raises
    ------
    InputError
        With the line, if the data are not XML or are incomplete.
    """
    parser = expat.ParserCreate()
    top = Element("", {}, 0)
    open_elements = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        spend("values", 1 + len(attributes))
        element = Element(name, attributes, parser.CurrentLineNumber)
        open_elements[-1].children.append(element)
        open_elements.append(element)
        if len(open_elements) > 200:
            raise InputError(f"line {element.line}: elements within elements, more than 200 deep")

    def end(_: str) -> None:
        element = open_elements.pop()
        element.content = element.content.strip()

    def add_text(text: str) -> None:
        open_elements[-1].content += text

    def refuse_doctype(*_: Any) -> None:
        raise InputError(f"line {parser.CurrentLineNumber}: a DOCTYPE has no place here")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.buffer_text, parser.CharacterDataHandler = True, add_text

    def refuse_entity(*_: Any) -> None:
        raise InputError(f"line {parser.CurrentLineNumber}: an ENTITY has no place here")

    parser.EntityDeclHandler = refuse_entity
    if not doctype:
        parser.StartDoctypeDeclHandler = refuse_doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        within = f", within the <{open_elements[-1].name}> of line {open_elements[-1].line}"
        reason = expat.ErrorString(error.code)
        where = within if len(open_elements) > 1 else ""
        raise InputError(f"line {error.lineno}: it is no XML, or is cut off: {reason}{where}") from None
    return top.children[0]
