"""Functions, servers and trained models that are named by a text."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import spacy

from spancrew.core import Dataset, LabelSet, Sentence, Span
from spancrew.errors import MemberError, MissingPackageError, SpancrewError
from spancrew.members import AnswerJournal, Member, MemberSettings, annotate, member_for
from spancrew.members._pacing import Pacer
from spancrew.testing import MemberContract
from tests.bridges.loopback import Answer, Fault, Loopback, Request, running
from tests.members.models import people

KEY = "SPANCREW_MEMBER_KEY"


class TestFunction(MemberContract):
    """A function of tokens."""

    @property
    def member(self) -> Member:  # type: ignore[override]
        """Return a new one."""
        return member_for("python:tests.members.models:capitals")


class TestTextFunction(MemberContract):
    """A function of texts, whose spans end inside words."""

    @property
    def member(self) -> Member:  # type: ignore[override]
        """Return a new one."""
        return member_for("python-texts:tests.members.models:capitals_in_texts")


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small pipeline that knows two names."""
    made = spacy.blank("en")
    ruler: Any = made.add_pipe("entity_ruler")
    ruler.add_patterns(
        [{"label": "PERSON", "pattern": "Ana"}, {"label": "GPE", "pattern": "Rome"}]
    )
    folder = tmp_path_factory.mktemp("spacy") / "names"
    made.to_disk(folder)
    return folder


class TestSpacy(MemberContract):
    """A pipeline in a folder."""

    @pytest.fixture(autouse=True)
    def _make(self, pipeline: Path) -> None:
        self.member = member_for(f"spacy:{pipeline}")


def test_a_function_is_found_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the version of its module."""
    (tmp_path / "mine_here.py").write_text("__version__ = '2.1'\ndef f(s): return [[] for _ in s]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    member = member_for("python:mine_here:f")

    assert (member.name, member.version) == ("f", "2.1")
    assert annotate(people(3), member).answered == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("return 7", r"mine_broken:f returned 7: it has to return a list"),
        ("raise KeyError('x')", r"KeyError: 'x' \(mine_broken\.py, line 2\)"),
    ],
)
def test_what_a_function_does_wrong_is_told_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, says: str
) -> None:
    """One that raises, and one that returns no list."""
    (tmp_path / "mine_broken.py").write_text(f"def f(sentences):\n    {text}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "mine_broken", raising=False)

    stopped = annotate(people(3), member_for("python:mine_broken:f")).stopped
    assert re.fullmatch(f"{says}.*", str(stopped))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tagger", "names no model: write kind:which"),
        ("python:", "names no model"),
        ("pithon:a:b", "kind 'pithon' is not known: there are hf, http"),
        ("python:a", "write module:function"),
        ("python:no_such_module:f", "there is no module 'no_such_module'"),
        ("python:json:nothing", "module 'json' has no function 'nothing'"),
        ("python:tests.members.broken:f", "cannot be imported: No module named 'not_there'"),
        ("http://ftp:x@127.0.0.1:1/", "has no password in it"),
        ("spacy:no_such_pipeline", "spaCy cannot load 'no_such_pipeline'"),
        ("http:ftp://x", "is no address"),
        ("http:http://ana:secret@127.0.0.1:1/", "has no password in it"),
    ],
)
def test_a_text_that_names_no_model_is_refused(spec: str, message: str) -> None:
    """With what to write instead."""
    with pytest.raises(SpancrewError, match=message):
        member_for(spec)


def test_a_missing_package_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Before the folder is looked at."""
    monkeypatch.setitem(sys.modules, "torch", None)

    with pytest.raises(MissingPackageError, match=r"'torch'.*spancrew\[hf\]"):
        member_for(f"hf:{tmp_path}")


def test_groups_of_word_pieces_become_spans(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A stand-in for transformers, which is too large to install for a test."""
    (tmp_path / "config.json").write_text("{}")
    group = {"entity_group": "LOC", "start": 9, "end": 11, "score": np.float32(0.5), "word": "Ro"}
    asked = []

    def pipeline(kind: str, **options: Any) -> Any:
        asked.append((kind, options))
        return lambda texts: [[group] for _ in texts]

    stand_in = ModuleType("transformers")
    stand_in.pipeline = pipeline  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    monkeypatch.setitem(sys.modules, "transformers", stand_in)
    found = annotate(people(2), member_for(f"hf:{tmp_path}"))

    assert asked[0][0] == "token-classification"
    assert found.worker == f"model:{tmp_path.name}"
    assert found.answers["s0"].spans == ((Span(2, 3, "LOC"), 0.5),)


def test_a_folder_without_a_model_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Before anything is looked for elsewhere."""
    for name in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))

    with pytest.raises(SpancrewError, match=r"there is no config\.json in it"):
        member_for(f"hf:{tmp_path}")


def test_labels_of_a_pipeline_are_renamed(pipeline: Path) -> None:
    """Others are counted."""
    found = annotate(people(2), member_for(f"spacy:{pipeline}"), renamed={"GPE": "LOC"})

    assert found.dataset.answer(0).spans == (Span(2, 3, "LOC"),)
    assert found.faults == {"label": 2}


def test_a_pipeline_without_entities_is_refused(tmp_path: Path) -> None:
    """It would answer that there is nothing, over and over."""
    spacy.blank("en").to_disk(tmp_path / "blank")

    with pytest.raises(SpancrewError, match="finds no entities"):
        member_for(f"spacy:{tmp_path / 'blank'}")


class NamesServer:
    """A server that marks the first word, or the first letter of it."""

    def __init__(self) -> None:
        self.loopback = Loopback(self.answer)
        self.requests: list[Request] = []
        self.unit = "tokens"
        self.lost = 0

    def answer(self, request: Request) -> Answer:
        """Answer all sentences but those that get lost."""
        self.requests.append(request)
        found = [{"spans": [[0, 1, "PER", 0.5]]} for _ in request.body["sentences"]]
        body = {"name": "names", "version": "3", "unit": self.unit, "answers": found[self.lost :]}
        return Answer(200, body)

    @property
    def asked(self) -> list[str]:
        """Return the ids of all sentences that it was asked about."""
        return [each["id"] for request in self.requests for each in request.body["sentences"]]

    def member(self, **settings: Any) -> Member:
        """Return the model, with little patience."""
        made = MemberSettings(**{"patience": 0.0, **settings})
        return member_for(f"http:{self.loopback.url}/answer", made)


@pytest.fixture
def names() -> Iterator[NamesServer]:
    """Run a server."""
    server = NamesServer()
    with running(server.loopback):
        yield server


class TestHttp(MemberContract):
    """A server on this machine."""

    @pytest.fixture(autouse=True)
    def _make(self, names: NamesServer) -> None:
        self.member = names.member()


def test_a_server_gets_sentences_in_batches(names: NamesServer) -> None:
    """With labels, text and tokens; it says who it is."""
    found = annotate(people(5), names.member(at_once=2))

    assert found.worker == "model:names"
    assert found.answered == 5
    assert [len(request.body["sentences"]) for request in names.requests] == [0, 2, 2, 1]
    assert names.requests[1].body == {
        "labels": ["LOC", "PER"],
        "sentences": [
            {
                "id": f"s{k}",
                "text": f"Ana left Rome {k}",
                "tokens": ["Ana", "left", "Rome", str(k)],
            }
            for k in range(2)
        ],
    }


def test_a_server_may_count_characters(names: NamesServer) -> None:
    """Spans are widened to whole tokens."""
    names.unit = "characters"
    dataset = Dataset.of([Sentence.from_text("s", "Rome!")], labels=LabelSet(("PER",)))

    assert annotate(dataset, names.member()).dataset.answer(0).spans == (Span(0, 1, "PER"),)


def test_a_server_that_answers_too_little_is_not_guessed_at(names: NamesServer) -> None:
    """The whole batch is of no use."""
    names.lost = 1
    found = annotate(people(3), names.member(at_once=2, name="other"))

    assert (found.worker, found.unusable) == ("model:other", 3)
    assert found.faults == {"count": 3}


def test_a_request_that_fails_is_sent_again(names: NamesServer) -> None:
    """Too many at once, an error, a hang-up, a body that stops, and one that is no JSON."""
    member = names.member(patience=60.0)
    member._endpoint.pacer = Pacer(None, pause=lambda _seconds: None)  # type: ignore[attr-defined]
    names.loopback.faults += [
        Fault("POST", 429, retry_after="0"),
        Fault("POST", 500),
        Fault("POST", when="after"),
        Fault("POST", when="after", cut=5),
        Fault("POST", 200, body=b'{"answers": [{"spa'),
    ]
    found = annotate(people(1), member)

    assert (found.answered, found.stopped) == (1, None)
    assert names.loopback.faults == []


def test_what_got_lost_may_have_cost_and_what_was_refused_did_not(names: NamesServer) -> None:
    """Five attempts: a refusal for the moment, three that may have been carried out, a reply."""
    journal = AnswerJournal()
    member = names.member(patience=60.0, price=0.25, journal=journal)
    member._endpoint.pacer = Pacer(None, pause=lambda _seconds: None)  # type: ignore[attr-defined]
    names.loopback.faults += [
        Fault("POST", 429, retry_after="0"),
        Fault("POST", 500),
        Fault("POST", when="before"),
        Fault("POST", when="after", cut=5),
    ]

    assert annotate(people(1), member, journal).spent == pytest.approx(4 * 0.25)


def test_a_server_that_is_gone_is_named(names: NamesServer) -> None:
    """What it answered before is kept."""
    member = names.member(at_once=1)
    names.loopback.faults += [Fault("POST", 503) for _ in range(9)]
    found = annotate(people(9), member)

    assert found.stopped is not None
    assert "gives no answer (HTTP status 503): try again later" in found.stopped
    assert len(names.loopback.faults) == 6


def test_the_key_goes_to_the_server_and_nowhere_else(
    names: NamesServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not even if a refusal repeats it."""
    monkeypatch.setenv(KEY, "sk-very-secret")
    with AnswerJournal(tmp_path / "answers.db") as journal:
        member = names.member(journal=journal)
        names.loopback.faults += [Fault("POST", 401, body={"error": "bad key sk-very-secret"})] * 3
        found = annotate(people(3), member, journal)

    assert names.requests[0].headers["authorization"] == "Bearer sk-very-secret"
    assert found.stopped is not None
    assert f"bad key ***; is {KEY} right?" in found.stopped
    assert b"very-secret" not in (tmp_path / "answers.db").read_bytes()


def test_a_key_is_not_sent_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Except on this machine."""
    monkeypatch.setenv(KEY, "sk-very-secret")

    with pytest.raises(MemberError, match="no https address"):
        member_for("http:http://models.example/answer")
