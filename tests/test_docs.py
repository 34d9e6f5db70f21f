"""The documentation names everything there is, and nothing that is not there.

That its examples run is checked by ``conftest.py`` in the folder above.
"""

import dataclasses
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import spancrew
from spancrew import errors
from spancrew.augment import Recipe
from spancrew.cli._main import app
from spancrew.consensus import consensus_methods
from spancrew.crowds import fidelity
from spancrew.feedback import feedback_rules
from spancrew.formats import formats, read
from spancrew.members import FAULTS
from spancrew.policies import policies
from spancrew.report import inspect
from tests.conftest import ROOT

DOCS = ROOT / "docs"
ROOMS = {path.parent.name for path in (ROOT / "src" / "spancrew").glob("*/__init__.py")}
USED = {room for room in ROOMS if hasattr(import_module(f"spancrew.{room}"), "__all__")}
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
COMMANDS = {"": typer.main.get_command(app), **typer.main.get_command(app).commands}  # type: ignore[attr-defined]


def text(page: str) -> str:
    """Return the text of a page."""
    return (DOCS / page).read_text("utf-8")


def sections(page: str) -> dict[str, str]:
    """Return what stands under each heading of the second level."""
    title_and_rest = re.split(r"^## (.+)$", text(page), flags=re.MULTILINE)[1:]
    return dict(zip(title_and_rest[::2], title_and_rest[1::2], strict=True))


def quoted(passage: str) -> set[str]:
    """Return the words in code type."""
    return set(re.findall(r"`([^`\n]+)`", passage))


def lines(pattern: str, passage: str) -> list[str]:
    """Return what the group of a pattern finds, line by line."""
    found: list[str] = re.findall(pattern, passage, re.MULTILINE)
    return found


@pytest.mark.parametrize("room", sorted(USED - {"cli"}))
def test_every_public_name_has_its_place_on_the_page_of_its_room(room: str) -> None:
    """Once, and no name is left that has gone; the whole room may be shown at once."""
    page = text(f"reference/api-{room}.md")
    described = lines(rf"^::: spancrew\.{room}\.(\w+)$", page)
    if lines(rf"^::: (spancrew\.{room})$", page):
        assert not described
        return

    assert sorted(described) == sorted(import_module(f"spancrew.{room}").__all__)


def test_every_name_of_the_top_level_is_listed() -> None:
    """With the room it comes from."""
    assert set(spancrew.__all__) <= quoted(text("reference/api-spancrew.md"))


def test_the_top_level_has_what_its_rooms_have() -> None:
    """The same objects, each public in its room as well; a room of that name can be called."""
    for room, names in spancrew._NAMES.items():
        found = import_module(f"spancrew.{room}")
        for name in names:
            same = getattr(spancrew, name) is getattr(found, name)
            assert same or (name in ROOMS and callable(getattr(spancrew, name)))
            assert room == "errors" or name in found.__all__

    assert sorted(spancrew._ROOM) == sorted(spancrew.__all__)


def test_importing_the_package_imports_nothing_heavy() -> None:
    """Rooms are imported when one of their names is used."""
    program = "import spancrew, sys; print([m for m in sys.modules if m.startswith('spancrew.')])"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)  # noqa: S603

    assert printed.stdout.strip() == b"[]"


def test_the_readme_imports_from_the_top_level() -> None:
    """Whatever is exported there is not imported from a room."""
    readme = (ROOT / "README.md").read_text("utf-8")
    imported = re.findall(r"^from (spancrew[\w.]*) import (.+)$", readme, re.MULTILINE)
    top = {name for room, names in imported if room == "spancrew" for name in names.split(", ")}
    deep = {name for room, names in imported if room != "spancrew" for name in names.split(", ")}

    assert {"read", "aggregate"} <= top <= set(spancrew.__all__)
    assert not deep & set(spancrew.__all__)


def test_every_how_to_is_listed_by_reader() -> None:
    """On the first page, in the order of the navigation; each once."""
    how_to = r"how-to/[a-z-]+\.md"
    site = re.findall(how_to, (ROOT / "mkdocs.yml").read_text("utf-8"))
    pages = {f"how-to/{page.name}" for page in (DOCS / "how-to").glob("*.md")}

    assert len(site) == len(pages)
    assert set(site) == pages
    assert sorted(re.findall(how_to, sections("index.md")["How-to, by reader"])) == sorted(pages)


def test_every_error_has_its_heading() -> None:
    """Place is described beside them."""
    found = {name for name, value in vars(errors).items() if _is_error(value)}

    assert set(sections("reference/errors.md")) == {*found, "Place"}


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, errors.SpancrewError)


def test_every_format_is_described() -> None:
    """With a heading of its own, and in the table that helps to find it."""
    assert set(sections("reference/formats.md")) == {f"`{name}`" for name in formats()}
    assert set(formats()) <= quoted(sections("how-to/read-your-data.md")["Which format is mine?"])


def test_every_file_name_that_chooses_a_format_is_listed() -> None:
    """In the table of the page on conversion."""
    suffixes = {suffix for each in formats().values() for suffix in each.suffixes}

    assert suffixes <= quoted(sections("how-to/convert.md")["Convert"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_every_command_is_described(name: str) -> None:
    """And no option is described that is not there."""
    described = sections("reference/cli.md")[f"`spancrew {name}`".replace(" `", "`")]
    rows = lines(r"^\| (`-.+?) \|", described)
    named = {option for row in rows for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", row)}
    options = {option for each in COMMANDS[name].params for option in each.opts}

    assert named - {"-h", "--help"} == {option for option in options if option.startswith("-")}


def test_every_field_of_an_inspection_is_described() -> None:
    """Those of its errors as well."""
    described = quoted(sections("reference/cli.md")["JSON of `inspect`"])
    record = inspect("demo", read("demo").dataset).as_json()

    assert record.keys() <= described
    assert record["errors"].keys() <= described
    assert record["agreement"]["fleiss"].keys() <= described
    assert record["answers_per_worker"].keys() <= described


def test_every_field_of_an_aggregation_is_described(tmp_path: Path) -> None:
    """And no field is described that is not there."""
    words = ["aggregate", "demo", "--method", "mv", "--out", str(tmp_path / "x.conll"), "--json"]
    record = json.loads(CliRunner().invoke(app, words).stdout)
    described = sections("reference/cli.md")["JSON of `aggregate`"]
    named = {name for row in lines(r"^\| (`.+?) \|", described) for name in quoted(row)}
    inner = {*record["exact"], *record["workers"][0], *record["least_sure"][0]}

    assert named == record.keys() | record["confidence"].keys()
    assert inner | record["not_written"][0].keys() <= quoted(described)


def test_every_field_of_a_certificate_is_described() -> None:
    """And no field is described that is not there."""
    printed = CliRunner().invoke(app, ["certify", "demo-zh", "--method", "mv", "--json"]).stdout
    record = json.loads(printed)
    described = sections("reference/cli.md")["JSON of `certify`"]
    named = {name for row in lines(r"^\| (`.+?) \|", described) for name in quoted(row)}
    inner = {*record["f1"], *record["labels"][0], *record["wrong_sentences"], *record["design"]}

    assert named == record.keys()
    assert inner | record["hashes"].keys() | record["versions"].keys() <= quoted(described)


def test_every_field_of_a_frontier_is_described() -> None:
    """And no field is described that is not there."""
    words = ["frontier", "demo-zh", "--consensus", "mv", "--share", "0.2", "--orders", "1"]
    printed = CliRunner().invoke(app, [*words, "--processes", "1", "--json"]).stdout
    (record,) = json.loads(printed)
    described = sections("reference/cli.md")["JSON of `frontier`"]
    named = {name for row in lines(r"^\| (`.+?) \|", described) for name in quoted(row)}

    assert named == record.keys()
    assert {*record["exact_f1"], *record["calibration"]} <= quoted(described)


def test_every_field_of_a_conversion_is_described(tmp_path: Path) -> None:
    """As printed with --json."""
    target = tmp_path / "demo.conll"
    printed = CliRunner().invoke(app, ["convert", "demo", str(target), "--json"]).stdout
    record = json.loads(printed)

    assert record.keys() <= quoted(sections("reference/cli.md")["JSON of `convert`"])
    assert record["not_written"][0].keys() <= quoted(
        sections("reference/cli.md")["JSON of `convert`"]
    )


def test_every_field_of_an_annotation_is_described(tmp_path: Path) -> None:
    """And no field is described that is not there."""
    words = ["annotate", "demo-zh", "--with", "python:tests.members.models:capitals"]
    words += ["--out", str(tmp_path / "x.jsonl"), "--json"]
    record = json.loads(CliRunner().invoke(app, words).stdout)
    described = sections("reference/cli.md")["JSON of `annotate`"]
    named = {name for row in lines(r"^\| (`.+?) \|", described) for name in quoted(row)}

    assert named == record.keys()


def test_every_kind_of_fault_is_explained() -> None:
    """In the table of the page on models."""
    table = sections("how-to/let-a-model-answer.md")["Rubbish"]

    assert set(lines(r"^\| `([a-z ]+)` \|", table)) == set(FAULTS)


def test_every_field_of_an_augmentation_is_described(tmp_path: Path) -> None:
    """Those of its workers as well."""
    words = ["augment", "demo-zh", "--words", "tokens", "--out", str(tmp_path / "full.jsonl")]
    record = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    described = quoted(sections("reference/cli.md")["JSON of `augment`"])

    assert record.keys() <= described
    assert record["workers"][0].keys() <= described


def test_every_field_of_a_fidelity_is_described() -> None:
    """And no field is described that is not there."""
    described = sections("reference/cli.md")["JSON of `fidelity`"]
    named = {name for row in lines(r"^\| (`.+?) \|", described) for name in quoted(row)}
    record = fidelity(read("demo-zh").dataset, "ses", Recipe(words="tokens"))["new"].as_json()

    assert named == record.keys()
    assert {*record["share_above"], *record["error_kinds"], *record["kappa"]} <= quoted(described)


def test_every_field_of_a_rehearsal_is_described(tmp_path: Path) -> None:
    """Those inside of fields as well."""
    words = ["simulate", "demo-zh", "--crowd", "replay", "--policy", "random", "--runs", "1"]
    record = json.loads(CliRunner().invoke(app, [*words, "--processes", "1", "--json"]).stdout)
    described = quoted(sections("reference/cli.md")["JSON of `simulate`"])
    result = record["results"][0]

    assert record.keys() | result.keys() <= described
    for part in ("answers_f1", "money", "regret"):
        assert result[part].keys() <= described
    assert result["final"]["exact"].keys() <= described


def test_every_field_of_a_reproduction_is_described() -> None:
    """And no field is described that is not there."""
    printed = CliRunner().invoke(app, ["reproduce", "bound", "--processes", "1", "--json"]).stdout
    described = sections("reference/cli.md")["JSON of `reproduce`"]
    named = {name for row in lines(r"^\| (`.+?) \|", described) for name in quoted(row)}

    assert named == json.loads(printed)[0].keys()


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("reference/policies.md", policies()),
        ("reference/feedback.md", feedback_rules()),
        ("reference/consensus.md", consensus_methods()),
    ],
    ids=["policies", "feedback", "consensus"],
)
def test_every_name_of_a_registry_has_its_heading(page: str, names: dict[str, type]) -> None:
    """With the options that can be set."""
    found = sections(page)

    for name, kind in names.items():
        options = {field.name for field in dataclasses.fields(kind)}
        assert options <= quoted(found[f"`{name}`"])


def test_every_kind_of_repair_is_explained() -> None:
    """As far as the readers name them in plain sight."""
    sources = (ROOT / "src" / "spancrew" / "formats").glob("*.py")
    pattern = r'(?:repair|note|Repair)\(\s*"([a-z-]+)"'
    kinds = {kind for path in sources for kind in re.findall(pattern, path.read_text("utf-8"))}
    page = sections("how-to/read-your-data.md")
    explained = lines(r"^\| `([a-z-]+)` \|", page["What the repairs mean"])

    assert kinds == set(explained)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_example_escapes_the_tests(page: Path) -> None:
    """Code is in languages that are run, or that nobody would run."""
    fences = re.findall(r"(?sm)^```(\w+)[^\n]*\n(.*?)^```$", page.read_text("utf-8"))
    followed = (ROOT / "tests" / "test_plug_ins.py").read_text("utf-8")
    allowed = {"python", "console", "text", "json", "toml"}
    if f'"{page.stem}"' in followed:
        allowed.add("sh")

    assert {language for language, _ in fences} <= allowed
    assert not any("$ spancrew" in code for language, code in fences if language != "console")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_page_begins_by_saying_what_it_is_for(page: Path) -> None:
    """A title, then a sentence, not a list, a table or code."""
    title, blank, first = page.read_text("utf-8").split("\n")[:3]

    assert title.startswith("# ")
    assert not blank
    assert re.match(r"[A-Za-z]", first)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_out_of_the_root_lead_somewhere(name: str) -> None:
    """The site generator only looks at those inside docs."""
    links = re.findall(r"\]\((?!https://)([^)#]+)", (ROOT / name).read_text("utf-8"))

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.realdata
def test_table_1_is_as_the_page_on_deviations_says(real_data: Path) -> None:
    """The column of spancrew, recomputed."""
    dataset = read(real_data / "conll-crowd" / "collected.json").dataset
    found = inspect("conll", dataset)
    work = found.answers_per_worker
    table = sections("explanation/deviations.md")["Table 1, CoNLL 2003"]
    ours = dict(re.findall(r"^\| (.+?) \|.*\| \**([^|*]+?)\** \|$", table, re.MULTILINE))

    assert work is not None
    assert ours | {"measure": "", "---": ""} == {
        "measure": "",
        "---": "",
        "sentences": f"{found.sentences:,}",
        "workers": f"{found.workers}",
        "answers": f"{found.answers:,}",
        "span length": f"{found.span_length:.2f}",
        "max": f"{work.max:,}",
        "min": f"{work.min}",
        "range": f"{work.range:,}",
        "mean": f"{work.mean:.1f}",
        "median": f"{work.median:.0f}",
        "SD": f"{work.sd:.1f}",
        "variance": f"{work.variance:,.1f}",
        "CV": f"{100 * work.cv:.1f} %",
    }
