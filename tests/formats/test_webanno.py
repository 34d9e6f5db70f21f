"""WebAnno TSV 3: tokens in rows, layers in columns, offsets in UTF-16 units."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from spancrew.core import Dataset, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats import Reading, ReadOptions, read, recognise
from spancrew.formats._webanno import WebAnno
from tests.formats.drawn import full_datasets, gold_of

NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
TEXT = "#Text=Ana saw New York ."
TOKENS = ("1-1\t0-3\tAna", "1-2\t4-7\tsaw", "1-3\t8-11\tNew", "1-4\t12-16\tYork", "1-5\t17-18\t.")


def document(cells: dict[str, str], *header: str, text: str = TEXT) -> str:
    """Return a file of one sentence; ``cells`` are those of the named tokens."""
    columns = next((cell.count("\t") for cell in cells.values()), 0)
    none = "\t".join("_" for _ in range(columns + 1))
    rows = [f"{row}\t{cells.get(row.split()[2], none)}\t\n" for row in TOKENS]
    head = "".join(f"#T_{line}\n" for line in header)
    return f"#FORMAT=WebAnno TSV 3.3\n{head}\n\n{text}\n{''.join(rows)}"


def read_text(path: Path, text: str, **options: Any) -> Reading:
    """Write a file and read it."""
    (path / "doc.tsv").write_text(text, encoding="utf-8", newline="")
    return read(path / "doc.tsv", **options)


@given(dataset=full_datasets())
def test_tokens_gold_and_ids_come_back_from_the_first_token_on(
    dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Sentences without gold are left out and counted, unless there is no gold at all."""
    path = tmp_path_factory.mktemp("webanno") / "data.webanno.tsv"
    lost = WebAnno().write(dataset, path)
    back, repairs = WebAnno().read(path, ReadOptions())
    kept = {id_: g for id_, g in gold_of(dataset).items() if g is not None} or gold_of(dataset)
    sentences = [s for s in dataset.sentences if s.id in kept]

    assert repairs == ()
    assert gold_of(back) == kept
    assert [s.tokens for s in back.sentences] == [s.tokens for s in sentences]
    assert [s.text for s in back.sentences] == [s.text[s.bounds[0][0] :] for s in sentences]
    assert any("without gold" in r.what for r in lost) == (len(kept) < len(dataset))


def test_a_file_under_any_name_is_recognised_by_its_first_line(tmp_path: Path) -> None:
    """The ending .tsv alone would ask for a table."""
    read_text(tmp_path, document({"Ana": "*\tPER"}, f"SP={NER}|identifier|value"))

    assert recognise(tmp_path / "doc.tsv").name == "webanno"


def test_reserved_characters_come_back_as_they_were(tmp_path: Path) -> None:
    """In values, in tokens and in texts, each with its own rules."""
    sentence = Sentence.from_tokens("s\n1", ["a\\b", "c|d[1]", "*", "_"])
    labels = ["x[1]", "a|b;c", "\\*_->", "t\tn\nx"]
    gold = {"s\n1": [Span(k, k + 1, label) for k, label in enumerate(labels)]}
    dataset = Dataset.of([sentence], gold)
    WebAnno().write(dataset, tmp_path / "doc.tsv")

    assert read(tmp_path / "doc.tsv").dataset == dataset
    assert "\tx\\[1\\]\t" in (tmp_path / "doc.tsv").read_text()
    assert "\t\\\\\\*\\_\\->\t" in (tmp_path / "doc.tsv").read_text()


def test_stacked_spans_overlap_and_one_may_be_chosen(tmp_path: Path) -> None:
    """The numbers in brackets say which tokens belong together."""
    cells = {"New": "LOC[1]|GPE[2]", "York": "LOC[1]"}
    text = document(cells, f"SP={NER}|value")

    with pytest.raises(FormatError, match=r"spans 2-3 GPE and 2-4 LOC overlap.*overlaps 'first'"):
        read_text(tmp_path, text)
    dataset, _ = read_text(tmp_path, text, overlaps="longest")

    assert dataset.gold_spans(0) == (Span(2, 4, "LOC"),)


def test_a_span_of_part_of_a_token_is_widened_and_one_of_no_length_counted(
    tmp_path: Path,
) -> None:
    """Both stand in rows with a point in the number."""
    text = document({"saw": "_"}, f"SP={NER}|value").replace(
        "1-2\t", "1-1.1\t0-2\tAn\tPER\t\n1-1.2\t3-3\t\tLOC\t\n1-2\t"
    )
    dataset, repairs = read_text(tmp_path, text)

    assert dataset.sentences[0].tokens == ("Ana", "saw", "New", "York", ".")
    assert dataset.gold_spans(0) == (Span(0, 1, "PER"),)
    assert [r.kind for r in repairs] == ["border", "skipped"]
    assert repairs[1].what == "spans of no length were left out (1)"


def test_what_is_not_a_labelled_span_is_counted(tmp_path: Path) -> None:
    """Relations, chains, slots, other layers, and spans without a label."""
    header = (
        "SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue",
        f"SP={NER}|value",
        "SP=webanno.custom.Frame|ROLE_webanno.custom.Frame:Roles_webanno.custom.Link|x.Y",
        "CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|link",
        "RL=webanno.custom.Rel|kind|BT_webanno.custom.X",
    )
    cells = {"Ana": "NNP\tPER\tagent\t1-2\tpr[1]\t*->1-1\tsees\t1-2", "saw": "VBD\t*" + "\t_" * 6}
    _, repairs = read_text(tmp_path, document(cells, *header))

    assert sorted(r.what for r in repairs) == [
        "annotations of the layer POS were left out (2)",
        "relations were left out (1)",
        "slots were left out (1)",
        "spans without a label were left out (1)",
        "tokens in chains were left out (1)",
    ]


def test_of_several_layers_or_features_one_has_to_be_chosen(tmp_path: Path) -> None:
    """The message names them, and the option."""
    text = document(
        {"Ana": "a\tb\tc"}, "SP=webanno.custom.Ship|sail|crew", "SP=webanno.custom.Sea|x"
    )

    with pytest.raises(FormatError, match=r"several layers \(Sea, Ship\).*'layer': 'Sea'"):
        read_text(tmp_path, text)
    with pytest.raises(FormatError, match=r"several features \(crew, sail\).*'label': 'crew'"):
        read_text(tmp_path, text, columns={"layer": "Ship"})
    with pytest.raises(FormatError, match=r"no feature 'mast' in the layer Ship.*crew, sail"):
        read_text(tmp_path, text, columns={"layer": "Ship", "label": "mast"})
    with pytest.raises(FormatError, match=r"'worker' cannot be chosen here, only layer and label"):
        read_text(tmp_path, text, columns={"worker": "Ship"})
    dataset, _ = read_text(tmp_path, text, columns={"layer": "Ship", "label": "sail"})

    assert dataset.gold_spans(0) == (Span(0, 1, "a"),)


def test_a_layer_without_features_is_the_label_itself(tmp_path: Path) -> None:
    """Its name is all that there is."""
    dataset, _ = read_text(tmp_path, document({"Ana": "*"}, "SP=webanno.custom.Ship|"))

    assert dataset.gold_spans(0) == (Span(0, 1, "Ship"),)


def test_without_a_layer_there_is_no_gold(tmp_path: Path) -> None:
    """With one that nobody used, the gold is empty."""
    raw, _ = read_text(tmp_path, document({}).replace("_\t\n", "\n"))
    empty, _ = read_text(tmp_path, document({}, f"SP={NER}|value"))

    assert raw.gold_spans(0) is None
    assert empty.gold_spans(0) == ()
    assert raw.sentences[0].meta == {"document": "doc.tsv", "start": 0}


def test_a_span_across_sentences_is_refused_until_they_are_one(tmp_path: Path) -> None:
    """Blanks stand in for what was between them."""
    text = document({"York": "*[1]", ".": "*[1]"}, "SP=webanno.custom.Ship|")
    text += "\n#Text=Yes\n2-1\t20-23\tYes\t*[1]\t\n"

    with pytest.raises(FormatError, match=r"Ship 12-23 .* is not inside one sentence.*split"):
        read_text(tmp_path, text)
    dataset, _ = read_text(tmp_path, text, split="paragraphs")

    assert dataset.sentences[0].text == "Ana saw New York . \nYes"
    assert dataset.gold_spans(0) == (Span(3, 6, "Ship"),)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("TSV 3.3", "TSV 2.0", r"line 1: .*export the document again as WebAnno TSV v3\.3"),
        ("4-7\tsaw", "5-8\tsaw", r"line 7: found 'aw ' at 5-8; expected the token 'saw'.*UTF-16"),
        ("1-2\t4-7", "1-2\t4:7", r"line 7: .*sentence-token<tab>begin-end<tab>token"),
        ("1-2\t4-7\tsaw", "1-2", r"line 7: .*sentence-token<tab>begin-end<tab>token"),
        ("#T_SP=", "#T_XX=", r"line 2: .*#T_SP=layer\|feature"),
        (TEXT + "\n", "", r"a sentence without its text"),
        ("0-3\tAna", "999999999-1000000002\tAna", r"line 6: "),
    ],
)
def test_broken_files_are_refused_with_their_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """A gap of a gigabyte is not filled."""
    text = document({"Ana": "PER"}, f"SP={NER}|value")

    assert old in text
    with pytest.raises(FormatError, match=message):
        read_text(tmp_path, text.replace(old, new))
