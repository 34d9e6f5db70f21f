"""Files as other tools write them: kept in ``files``, or made here by the tool itself."""

import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

FILES = Path(__file__).parent / "files"
MINA = "Mina sailed to Gull Cove."


@dataclass(frozen=True)
class ToolFile:
    """A file, its format, and how much is in it: sentences, those with gold, answers."""

    name: str
    format: str
    holds: tuple[int, int, int]
    options: Mapping[str, Any] = field(default_factory=dict)
    make: Callable[[Path], None] | None = None

    def path(self, folder: Path) -> Path:
        """Return where the file is; make it in the folder if it is not kept."""
        if self.make is None:
            return FILES / self.name
        self.make(folder / self.name)
        return folder / self.name


def _spacy(path: Path) -> None:
    import spacy

    nlp = spacy.blank("en")
    first, second = nlp.make_doc(MINA), nlp.make_doc("Nobody came.")
    span = spacy.tokens.Span
    first.set_ents([span(first, 0, 1, label="PER"), span(first, 3, 5, label="LOC")])
    second.set_ents([])
    spacy.tokens.DocBin(docs=[first, second], store_user_data=True).to_disk(path)


def _hugging_face(path: Path) -> None:
    import datasets

    tags = datasets.Sequence(datasets.ClassLabel(names=["O", "B-PER", "I-PER"]))
    strings = datasets.Sequence(datasets.Value("string"))
    features = datasets.Features(
        {"id": datasets.Value("string"), "tokens": strings, "ner_tags": tags}
    )
    rows = {"id": ["0"], "tokens": [["Mina", "sailed"]], "ner_tags": [[1, 0]]}
    made = datasets.Dataset.from_dict(rows, features=features)
    datasets.DatasetDict({"train": made}).save_to_disk(path)


def _excel(path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["id", "text", "worker", "start", "end", "label"])
    book.active.append(["s1", MINA, "ana", 0, 4, "PER"])
    book.active.append(["s1", MINA, "bo", None, None, None])
    book.save(path)


def _parquet(path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    spans = [[{"start": 0, "end": 4, "label": "PER"}], []]
    rows = {"id": ["s1", "s2"], "text": [MINA, "Nobody came."], "spans": spans, "page": [3, 4]}
    pq.write_table(pa.table(rows), path)


def _inception_zip(path: Path) -> None:
    """Pack the project as INCEpTION does: each .xmi in an archive with its type system."""
    import cassis

    types = cassis.TypeSystem().to_xml()
    root = FILES / "inception-project"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("annotation_ser/log.txt/ana.ser", b"\xac\xed\x00\x05")
        for file in sorted(p for p in root.rglob("*") if p.is_file()):
            name = file.relative_to(root).as_posix()
            if file.suffix != ".xmi":
                packed.write(file, name)
                continue
            inner = BytesIO()
            with zipfile.ZipFile(inner, "w") as both:
                both.write(file, file.name)
                both.writestr("TypeSystem.xml", types)
            packed.writestr(name.replace(".xmi", ".zip"), inner.getvalue())


def _cassis_json(path: Path) -> None:
    import cassis

    types = cassis.TypeSystem()
    crew = types.create_type("webanno.custom.Crew")
    types.create_feature(crew, "kind", "uima.cas.String")
    cas = cassis.Cas(types)
    cas.sofa_string = "👍 Mina sailed.\nBo stayed."
    cas.sofa_mime = "text/plain"
    cas.add(crew(begin=2, end=6, kind="skipper"))
    cas.to_json(path)


TOOL_FILES = (
    ToolFile("conll2003.conll", "conll", (2, 2, 0)),
    ToolFile("bioes.bio", "conll", (2, 2, 0)),
    ToolFile("crowdlayer/answers.txt", "matrix", (2, 2, 4)),
    ToolFile("crowd-dir", "crowd-dir", (2, 2, 4)),
    ToolFile("collected.json", "collected", (1, 1, 2)),
    ToolFile("oei/harbour.json", "oei", (2, 2, 0)),
    ToolFile("oei/harbour-crowd.json", "oei", (2, 2, 3)),
    ToolFile("label-studio.json", "label-studio", (1, 1, 1)),
    ToolFile("label-studio-min.json", "label-studio", (1, 0, 2)),
    ToolFile("doccano.jsonl", "doccano", (2, 2, 0)),
    ToolFile("doccano-relations.jsonl", "doccano", (1, 1, 0)),
    ToolFile("doccano-users", "doccano", (1, 1, 2)),
    ToolFile("docbin.spacy", "spacy", (2, 2, 0), make=_spacy),
    ToolFile("saved.hf", "huggingface", (1, 1, 0), make=_hugging_face),
    ToolFile("prodigy-ner-manual.jsonl", "prodigy", (1, 0, 2)),
    ToolFile("prodigy-review.jsonl", "prodigy", (1, 1, 2)),
    ToolFile("brat", "brat", (2, 2, 0)),
    ToolFile("brat-annotators", "brat", (1, 0, 2)),
    ToolFile("argilla.json", "argilla", (1, 0, 2)),
    ToolFile("argilla-hub.jsonl", "argilla", (1, 0, 2)),
    ToolFile("mturk-batch.csv", "csv", (1, 0, 2)),
    ToolFile("prolific.csv", "csv", (1, 0, 2)),
    ToolFile("texts.jsonl", "json", (2, 0, 0)),
    ToolFile("table.xlsx", "xlsx", (1, 0, 2), make=_excel),
    ToolFile("table.parquet", "parquet", (2, 2, 0), make=_parquet),
    ToolFile("log.txt", "text", (2, 0, 0)),
    ToolFile("webanno-3.3.tsv", "webanno", (2, 2, 0)),
    ToolFile("webanno-3.2.tsv", "webanno", (1, 1, 0)),
    ToolFile("inception.xmi", "uima-cas", (2, 2, 0)),
    ToolFile("inception-cas.json", "uima-cas", (2, 2, 0)),
    ToolFile("cassis.json", "uima-cas", (2, 2, 0), make=_cassis_json),
    ToolFile("inception-project", "inception", (2, 2, 4)),
    ToolFile("inception.zip", "inception", (2, 2, 4), make=_inception_zip),
)
