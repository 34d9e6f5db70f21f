"""Scripts and styles: what browsers get, and keep."""

import gzip
import re
from pathlib import Path

import pytest

from spancrew.campaign import COLOURS, TAKEN_KEYS
from spancrew.server.pages.assets import PAGES, assets, edition, lean, modules
from tests.server.conftest import House

SOURCES = sorted((PAGES / "assets").iterdir())
PAGE_NAMES = sorted(path.stem for path in (PAGES / "templates").glob("*.html"))


def test_a_file_of_this_edition_is_kept_for_good(house: House) -> None:
    """Whoever has it never asks again; packed and plain are the same."""
    path = f"/assets/{edition()}/base.css"
    plain = house.client.get(path, headers={"Accept-Encoding": "identity"})
    packed = house.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert plain.content == packed.content == assets()["base.css"].plain
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(assets()["base.css"].packed) == assets()["base.css"].plain


def test_a_page_of_yesterday_still_gets_its_files(house: House) -> None:
    """After an update, open pages load on; what they get is not kept under the old name."""
    answer = house.client.get("/assets/000000000000/base.css")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("name", ["nothing.css", "..%2f_app.py", "base.html", "%00", "BASE.CSS"])
def test_only_files_of_the_pages_are_sent(house: House, name: str) -> None:
    """No other file of the machine can be had."""
    assert house.client.get(f"/assets/{edition()}/{name}").status_code == 404


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_leaving_out_comments_leaves_the_rest(path: Path) -> None:
    """No text spans lines, and no line of code stands between marks of a comment."""
    text = path.read_text("utf-8")
    assert all(line.count("`") % 2 == 0 for line in lean(text).splitlines())
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    kept = [line.strip() for line in code.splitlines() if line.strip()]
    kept = [line for line in kept if not line.startswith("//")]
    assert re.sub(r"/\*.*?\*/", "", lean(text), flags=re.DOTALL).split() == " ".join(kept).split()


@pytest.mark.parametrize("page", PAGE_NAMES)
def test_every_import_leads_to_a_file(page: str) -> None:
    """A page finds all modules that its modules import."""
    names = modules(page)
    text = "\n".join(assets()[name].plain.decode() for name in names)
    assert set(re.findall(r'"\./([^"]+\.js)"', text)) <= set(assets())


def test_pages_and_plan_know_the_same_colours_and_keys_of_labels() -> None:
    """In the same order, as the place of a colour is its number."""
    quoted = ", ".join(f'"{colour}"' for colour in COLOURS)
    for name in ("editor-legend.js", "new-labels.js"):
        assert f"const COLOURS = [{quoted}];" in assets()[name].plain.decode()
    assert f'const TAKEN = "{TAKEN_KEYS}";' in assets()["new-labels.js"].plain.decode()


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG defines it."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(map(float.__mul__, (0.2126, 0.7152, 0.0722), linear))


@pytest.mark.parametrize("theme", [0, 1, 2], ids=["light", "dark by itself", "dark by choice"])
def test_the_colours_of_pages_can_be_read(theme: int) -> None:
    """In a usual run, not every state of a page is looked at in the dark."""
    text = assets()["base.css"].plain.decode()
    blocks = re.findall(r"{[^{}]*--paper:[^{}]*}", text)
    known = dict(re.findall(r"--([a-z-]+):\s*(#[0-9a-f]{6})\b", blocks[theme]))
    pairs = [(ink, on) for ink in ("ink", "quiet", "accent") for on in ("paper", "card")]
    for kind in ("good", "warn", "bad"):
        pairs += [(kind, f"{kind}-soft"), ("ink", f"{kind}-soft"), (kind, "paper"), (kind, "card")]

    assert len(blocks) == 3
    assert [pair for pair in pairs if contrast(*(known[name] for name in pair)) < 4.5] == []
