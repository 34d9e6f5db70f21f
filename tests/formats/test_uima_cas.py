"""UIMA CAS of one document: XMI, JSON, or XMI packed with its type system."""

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import cassis
import pytest
from hypothesis import given, settings

from spancrew.core import Dataset, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats import ReadOptions, read, recognise, write
from spancrew.formats._uima_cas import UimaCas
from tests.formats.drawn import full_datasets, gold_of
from tests.formats.tool_files import FILES
from tests.spread import often

NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
CREW = "webanno.custom.Crew"
XMI = (FILES / "inception.xmi").read_text("utf-8")


def cas_json(text: str, *structures: dict[str, Any], **fields: Any) -> str:
    """Return a JSON CAS with these feature structures behind the text."""
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": text}
    numbered = [{"%ID": k, "@sofa": 1, **each} for k, each in enumerate(structures, start=2)]
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": [sofa, *numbered]} | fields)


def crew(begin: int, end: int, **features: Any) -> dict[str, Any]:
    """Return an annotation of a layer that users made."""
    return {"%TYPE": CREW, "begin": begin, "end": end, **features}


def saved(folder: Path, text: str, name: str = "doc") -> Path:
    """Write a file without any ending and return its path."""
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def kept(dataset: Dataset) -> dict[str, tuple[Span, ...] | None]:
    """Return the gold that is written: all there is, or none of it for every sentence."""
    found = gold_of(dataset)
    none = all(gold is None for gold in found.values())
    return {id_: gold for id_, gold in found.items() if none or gold is not None}


@pytest.mark.parametrize("name", ["data.cas.json", "data.xmi", "data.xmi.zip"])
@settings(max_examples=often(20, 60))
@given(dataset=full_datasets())
def test_texts_tokens_gold_and_ids_come_back_exactly(
    name: str, dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Outer blanks and line ends, too; only XML cannot hold control characters."""
    path = tmp_path_factory.mktemp("cas") / name
    if "xmi" in name and NOT_XML.search("".join((*kept(dataset), *dataset.sentences.texts))):
        with pytest.raises(FormatError, match="which XML cannot hold"):
            UimaCas().write(dataset, path)
        return
    UimaCas().write(dataset, path)
    back, repairs = UimaCas().read(path, ReadOptions())
    sentences = [s for s in dataset.sentences if s.id in kept(dataset)]

    assert repairs == ()
    assert gold_of(back) == kept(dataset)
    assert [(s.text, s.bounds) for s in back.sentences] == [(s.text, s.bounds) for s in sentences]


def sample() -> Dataset:
    """Return two sentences with wide characters, quotes and line ends."""
    first = Sentence.from_text("a<1>", '👍 "Ana" & Bo\nleft')
    second = Sentence.from_text("b", "Köln 🚢 slept")
    gold = {"a<1>": [Span(2, 3, "P&R"), Span(5, 6, "PER")], "b": [Span(0, 2, "LOC")]}
    return Dataset.of([first, second], gold)


def quotes(dataset: Dataset) -> list[tuple[str, str]]:
    """Return the text and the label of every span."""
    return [
        (sentence.quote(span), span.label)
        for position, sentence in enumerate(dataset.sentences)
        for span in dataset.gold_spans(position) or ()
    ]


def test_another_library_reads_the_same_from_what_we_write(tmp_path: Path) -> None:
    """It is strict about types, and counts offsets by itself."""
    write(sample(), tmp_path / "x.xmi.zip")
    write(sample(), tmp_path / "x.cas.json")
    with zipfile.ZipFile(tmp_path / "x.xmi.zip") as packed:
        types = cassis.load_typesystem(packed.read("TypeSystem.xml").decode())
        xmi = cassis.load_cas_from_xmi(packed.read("x.xmi").decode(), typesystem=types)
    as_json = cassis.load_cas_from_json((tmp_path / "x.cas.json").read_text("utf-8"))

    for cas in (xmi, as_json):
        found = [(each.get_covered_text(), each.value) for each in cas.select(NER)]
        assert found == quotes(sample())
        assert cas.sofa_string == "\n".join(sample().sentences.texts)


def test_we_read_the_same_from_what_another_library_writes(tmp_path: Path) -> None:
    """From the CAS that it read from ours."""
    write(sample(), tmp_path / "x.cas.json")
    cas = cassis.load_cas_from_json((tmp_path / "x.cas.json").read_text("utf-8"))
    cas.to_xmi(tmp_path / "again.xmi")
    cas.to_json(tmp_path / "again.json")

    assert read(tmp_path / "again.xmi").dataset == sample()
    assert read(tmp_path / "again.json").dataset == sample()


@pytest.mark.parametrize("name", ["inception.xmi", "inception-cas.json"])
def test_no_name_is_needed_to_recognise_a_cas(tmp_path: Path, name: str) -> None:
    """Uploads come without one."""
    path = saved(tmp_path, (FILES / name).read_text("utf-8"))

    assert recognise(path).name == "uima-cas"


def test_without_sentences_and_tokens_lines_are_cut_into_words(tmp_path: Path) -> None:
    """Offsets with a mark before their names count as well, and blanks at the ends do not."""
    text = "👍 Ana left.\n\nBo stayed."
    mark = {"%TYPE": CREW, "^begin": 2, "^end": 7, "kind": "cook"}
    dataset, repairs = read(saved(tmp_path, cas_json(text, mark)))

    assert [s.text for s in dataset.sentences] == ["👍 Ana left.", "Bo stayed."]
    assert gold_of(dataset) == {"1": (Span(1, 2, "cook"),), "2": ()}
    assert repairs == ()


def test_other_views_relations_and_layers_are_counted(tmp_path: Path) -> None:
    """Only the first view is the text that people worked on."""
    text = cas_json(
        "Ana left.",
        crew(0, 3, kind="cook"),
        crew(0, 3, kind="cook") | {"@sofa": 9},
        crew(0, 3) | {"%TYPE": "webanno.custom.Rel", "@Governor": 2, "@Dependent": 2},
        crew(0, 3) | {"%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS"},
    )
    dataset, repairs = read(saved(tmp_path, text))

    assert gold_of(dataset) == {"1": (Span(0, 1, "cook"),)}
    assert sorted(r.what for r in repairs) == [
        "annotations of other views were left out (1)",
        "annotations of the layer POS were left out (1)",
        "relations were left out (1)",
    ]


def test_a_sentence_whose_border_cuts_a_token_is_cut_into_words_again(tmp_path: Path) -> None:
    """On both sides of it; the others keep their tokens."""
    kind = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type."
    sentences = [crew(a, b) | {"%TYPE": f"{kind}Sentence"} for a, b in ((0, 6), (6, 12), (13, 16))]
    tokens = [
        crew(a, b) | {"%TYPE": f"{kind}Token"} for a, b in ((0, 2), (4, 9), (13, 14), (14, 16))
    ]
    text = cas_json("Ana left Bo. Yes", *sentences, *tokens, crew(0, 3, kind="cook"))
    dataset, _ = read(saved(tmp_path, text))

    assert [s.tokens for s in dataset.sentences] == [
        ("Ana", "le"),
        ("ft", "Bo", "."),
        ("Y", "es"),
    ]
    assert dataset.gold_spans(0) == (Span(0, 1, "cook"),)


def test_feature_structures_may_be_an_object_by_id(tmp_path: Path) -> None:
    """Early versions are so."""
    record = json.loads(cas_json("Ana left.", crew(0, 3, kind="cook")))
    record["%FEATURE_STRUCTURES"] = {
        str(each.pop("%ID")): each for each in record["%FEATURE_STRUCTURES"]
    }

    assert gold_of(read(saved(tmp_path, json.dumps(record))).dataset) == {
        "1": (Span(0, 1, "cook"),)
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (cas_json("👍 Ana", crew(1, 4, kind="x")), "Crew from 1 to 4; .* of 6 UTF-16 units"),
        (cas_json("Ana", crew(2, 9, kind="x")), "Crew from 2 to 9; .* of 3 UTF-16 units"),
        (cas_json("Ana", crew(2, 1, kind="x")), "Crew from 2 to 1"),
        (cas_json("Ana", crew(0, 3) | {"begin": "a"}), "Crew from 'a' to 3"),
        (cas_json("Ana", **{"%FEATURE_STRUCTURES": 3}), "%FEATURE_STRUCTURES.*a list"),
        (cas_json("Ana", **{"%FEATURE_STRUCTURES": []}), r"no text \(sofaString\)"),
        (XMI.replace("</xmi:XMI>", ""), "line 21: found XML that is broken"),
        (XMI.replace("xmi:XMI", "xmi:XMJ"), "the element .*XMJ.*expected xmi:XMI"),
        (XMI.replace("?><", '?>\n<!DOCTYPE a [<!ENTITY b "c">]>\n<'), "line 2: found a DOCTYPE"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    """Half an emoji is no place for a border; entities could grow without end."""
    with pytest.raises(FormatError, match=message):
        read(saved(tmp_path, text), "uima-cas")


def test_an_archive_of_several_documents_is_refused(tmp_path: Path) -> None:
    """One of them would be lost."""
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as packed:
        packed.writestr("a.xmi", XMI)
        packed.writestr("b.xmi", XMI)

    with pytest.raises(FormatError, match=r"an archive with 2 documents; expected one"):
        read(tmp_path / "two.zip")
