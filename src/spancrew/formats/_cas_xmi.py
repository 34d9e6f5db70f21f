"""UIMA's CAS as XMI: an XML element for each feature structure, its features as attributes."""

import re
from collections.abc import Iterator, Sequence
from typing import TextIO
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from spancrew.errors import FormatError, Place
from spancrew.formats._cas import (
    ANNOTATION,
    STRING,
    TYPES,
    VIEW,
    CasSentence,
    Structure,
    document_of,
    structures_of,
    text_of,
    types_of,
)
from spancrew.formats._layers import NAMED_ENTITY, LayeredDocument

XMI = "http://www.omg.org/XMI"
_ID = f"{XMI} id"
_NAMESPACE = re.compile(r"http:///(.*)\.ecore")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_xmi(data: bytes, path: str) -> LayeredDocument:
    """Return the document of an XMI file; a declared namespace stands for the types in it."""
    parsed = _Parsed(path)
    place = Place(path)
    try:
        parsed.parser.Parse(data, True)
    except FormatError:
        raise
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise FormatError.expected(
            Place(path, parsed.parser.CurrentLineNumber), f"XML that is broken ({error})", "XMI"
        ) from None
    if parsed.root != f"{XMI} XMI":
        raise FormatError.expected(place, f"the element {parsed.root!r}", "xmi:XMI")
    return document_of(parsed.structures, parsed.types, place)


class _Parsed:
    """Collects the elements right below the root."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._depth = 0
        self.root = ""
        self.types: list[str] = []
        self.structures: list[Structure] = []
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.parser.StartNamespaceDeclHandler = self._declare
        self.parser.StartElementHandler = self._open
        self.parser.EndElementHandler = self._close

    def _refuse_doctype(self, *_: object) -> None:
        raise FormatError.expected(
            Place(self._path, self.parser.CurrentLineNumber), "a DOCTYPE", "XMI without one"
        )

    def _declare(self, _prefix: str | None, uri: str) -> None:
        package = _package(uri)
        if package and package.startswith("webanno."):
            self.types.append(f"{package}.Any")
        elif package and NAMED_ENTITY.startswith(f"{package}."):
            self.types.append(NAMED_ENTITY)

    def _open(self, name: str, values: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1:
            self.root = name
        if self._depth != 2:
            return
        uri, _, short = name.rpartition(" ")
        type_ = f"{_package(uri) or uri}.{short}"
        plain = {key: value for key, value in values.items() if " " not in key}
        place = Place(self._path, self.parser.CurrentLineNumber)
        self.structures.append(Structure(type_, values.get(_ID, ""), plain, place))

    def _close(self, _name: str) -> None:
        self._depth -= 1


def _package(uri: str) -> str | None:
    found = _NAMESPACE.fullmatch(uri)
    return None if found is None else found[1].replace("/", ".")


def write_xmi(sentences: Sequence[CasSentence], file: TextIO, place: Place, *, ids: bool) -> None:
    """Write a document."""
    _refuse_controls(sentences, place)
    prefixes = {name: f"type{k}" for k, name in enumerate(types_of(sentences))}
    spaces = "".join(
        f' xmlns:{prefix}="http:///{name.rpartition(".")[0].replace(".", "/")}.ecore"'
        for name, prefix in prefixes.items()
    )
    file.write(
        f'<?xml version="1.0" encoding="UTF-8"?>\n<xmi:XMI xmlns:xmi="{XMI}" '
        f'xmlns:cas="http:///uima/cas.ecore"{spaces} xmi:version="2.0">\n<cas:NULL xmi:id="0"/>\n'
    )
    last = 1
    for last, structure in enumerate(structures_of(sentences, ids=ids), start=2):
        type_ = structure.pop("type")
        tag = f"{prefixes[type_]}:{type_.rpartition('.')[2]}"
        values = "".join(f" {key}={quoteattr(str(value))}" for key, value in structure.items())
        file.write(f'<{tag} xmi:id="{last}" sofa="1"{values}/>\n')
    text = quoteattr(text_of(sentences))
    members = " ".join(map(str, range(2, last + 1)))
    file.write(
        f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="{VIEW}" mimeType="text" sofaString={text}/>\n'
        f'<cas:View sofa="1" members="{members}"/>\n</xmi:XMI>\n'
    )


def _refuse_controls(sentences: Sequence[CasSentence], place: Place) -> None:
    for sentence, spans in sentences:
        labels = (span.label for span in spans or ())
        found = _NOT_XML.search("".join((sentence.id, sentence.text, *labels)))
        if found:
            raise FormatError(
                place,
                f"sentence {sentence.id!r} has the character U+{ord(found[0]):04X}, which XML "
                "cannot hold; take it out, or write to a name that ends with cas.json",
            )


def type_system(sentences: Sequence[CasSentence]) -> str:
    """Return the declaration of the types as XML."""
    return "".join(_type_lines(types_of(sentences)))


def _type_lines(names: list[str]) -> Iterator[str]:
    space = "http://uima.apache.org/resourceSpecifier"
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<typeSystemDescription xmlns="{space}">\n<types>\n'
    for name in names:
        features = "".join(
            f"<featureDescription><name>{feature}</name><description/>"
            f"<rangeTypeName>{STRING}</rangeTypeName></featureDescription>\n"
            for feature in TYPES[name]
        )
        yield (
            f"<typeDescription><name>{name}</name><description/>"
            f"<supertypeName>{ANNOTATION}</supertypeName>\n"
            f"<features>\n{features}</features></typeDescription>\n"
        )
    yield "</types>\n</typeSystemDescription>\n"
