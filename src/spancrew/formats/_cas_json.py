"""UIMA's CAS as JSON: feature structures in a list, references with an @ before the name."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from spancrew.errors import Place
from spancrew.formats._cas import (
    ANNOTATION,
    SOFA,
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
from spancrew.formats._json import checked, need, parse_json, want
from spancrew.formats._layers import LayeredDocument

STRUCTURES = "%FEATURE_STRUCTURES"
_MARKS = ("@", "^", "#")
"""What stands before the names of references, offsets and special numbers."""


def read_json_cas(text: str, place: Place) -> LayeredDocument:
    """Return the document of a JSON CAS."""
    record = checked(parse_json(text, place), dict, "the file", place)
    types = want(record, "%TYPES", dict, place) or {}
    return document_of(_structures(record, place), types, place)


def _structures(record: dict[str, Any], place: Place) -> Iterator[Structure]:
    found = record.get(STRUCTURES)
    if isinstance(found, dict):  # early versions have ids for names
        found = [{"%ID": id_, **each} for id_, each in found.items() if isinstance(each, dict)]
    for each in checked(found, list, f"field {STRUCTURES!r}", place):
        type_ = need(each, "%TYPE", str, place)
        values = {
            (name[1:] if name.startswith(_MARKS) else name): value
            for name, value in each.items()
            if not name.startswith("%")
        }
        yield Structure(type_, str(each.get("%ID", "")), values, place)


def write_json_cas(sentences: Sequence[CasSentence], file: TextIO, *, ids: bool) -> None:
    """Write a document; each feature structure on its own line."""
    file.write(f'{{"%TYPES": {json.dumps(_types(sentences))},\n"{STRUCTURES}": [\n')
    sofa = {"sofaNum": 1, "sofaID": VIEW, "mimeType": "text", "sofaString": text_of(sentences)}
    file.write(_json({"%ID": 1, "%TYPE": SOFA, **sofa}))
    last = 1
    for last, structure in enumerate(structures_of(sentences, ids=ids), start=2):
        type_ = structure.pop("type")
        file.write(",\n" + _json({"%ID": last, "%TYPE": type_, "@sofa": 1, **structure}))
    members = list(range(2, last + 1))
    views = {VIEW: {"%SOFA": 1, "%MEMBERS": members}}
    file.write(f'\n],\n"%VIEWS": {json.dumps(views)}}}\n')


def _types(sentences: Sequence[CasSentence]) -> dict[str, Any]:
    return {
        name: {"%NAME": name, "%SUPER_TYPE": ANNOTATION}
        | {feature: {"%NAME": feature, "%RANGE": STRING} for feature in TYPES[name]}
        for name in types_of(sentences)
    }


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
