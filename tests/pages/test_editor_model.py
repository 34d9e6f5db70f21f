"""What the editor knows of a sentence, without any page: spans, selection, steps back."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.pages.conftest import Visitors

pytestmark = pytest.mark.browser

_RANDOM_ACTS = """async ([seeds, acts]) => {
  const { Model } = await import("/assets/any/editor-model.js");
  const { same } = await import("/assets/any/editor-spans.js");
  // A small generator of our own, so that a failure can be repeated.
  const random = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const labels = ["A", "B", "C"];
  const wrong = [];
  const steps = { changed: 0, undone: 0, redone: 0, held: 0 };
  for (let seed = 0; seed < seeds; seed++) {
    const next = random(seed);
    const below = (n) => Math.floor(next() * n);
    const size = 1 + below(12);
    const model = new Model(size);
    const deeds = {
      tap: () => model.tap(below(size)),
      drag: () => { model.select(below(size), below(size)); model.drop(); },
      move: () => model.move(below(size + 4) - 2, next() < 0.5),
      label: () => model.label(labels[below(3)]),
      choose: () => model.choose(labels[below(3)]),
      remove: () => model.remove(),
      nudge: () => model.nudge(next() < 0.5 ? "start" : "end", next() < 0.5 ? -1 : 1),
      border: () => {
        if (!model.spans.length) return;
        model.move(model.spans[below(model.spans.length)].start);
        const side = next() < 0.5 ? "start" : "end";
        model.hold(side, below(size)); model.hold(side, below(size));
        steps.held += 1;
        if (next() < 0.8) model.release(); else model.escape();
      },
      escape: () => model.escape(),
      undo: () => model.undo(),
      redo: () => model.redo(),
    };
    const names = Object.keys(deeds);
    for (let k = 0; k < acts; k++) {
      const before = model.spans;
      const name = names[below(names.length)];
      deeds[name]();
      const told = `seed ${seed} act ${k} ${name}: ${JSON.stringify(model.spans)}`;
      let end = 0;
      for (const span of model.spans) {
        const fits = span.start >= end && span.end > span.start && span.end <= size;
        if (!fits || !labels.includes(span.label)) wrong.push(told);
        end = span.end;
      }
      if (model.focus < 0 || model.focus >= size) wrong.push(`${told} focus ${model.focus}`);
      const { selection } = model;
      const isOut = selection && (selection.start < 0 || selection.end > size);
      if (isOut) wrong.push(`${told} selection`);
      if (model.held) wrong.push(`${told} still held`);
      if (name === "undo" || name === "redo" || same(before, model.spans)) continue;
      steps.changed += 1;
      const after = model.spans;
      if (!model.undo() || !same(model.spans, before)) wrong.push(`${told} undo`);
      else steps.undone += 1;
      if (!model.redo() || !same(model.spans, after)) wrong.push(`${told} redo`);
      else steps.redone += 1;
    }
    while (model.undo()) {}
    if (model.spans.length) wrong.push(`seed ${seed}: the first state is not empty`);
  }
  return { wrong: wrong.slice(0, 5), steps };
}"""


@pytest.fixture
def page(visit: Visitors) -> Page:
    """Return a page from which scripts can be loaded."""
    return visit().page("/sign-in")


def model(page: Page, script: str) -> Any:
    """Run a script with a model of eight tokens and return what it says."""
    return page.evaluate(
        f"""async () => {{
          const {{ Model }} = await import("/assets/any/editor-model.js");
          const S = (start, end, label) => ({{ start, end, label }});
          const one = (s) => `${{s.start}}-${{s.end}} ${{s.label}}`;
          const text = (spans) => spans.map(one).join(", ");
          const model = new Model(8);
          {script}
        }}"""
    )


def test_whatever_is_done_spans_never_overlap_and_every_step_can_be_undone(page: Page) -> None:
    """Hundreds of sentences, each with sixty random acts; each change is one step."""
    found = page.evaluate(_RANDOM_ACTS, [400, 60])

    assert found["wrong"] == []
    assert found["steps"]["changed"] > 4_000
    assert found["steps"]["held"] > 500
    assert found["steps"]["changed"] == found["steps"]["undone"] == found["steps"]["redone"]


def test_a_new_span_takes_the_place_of_all_it_overlaps_in_one_step(page: Page) -> None:
    """Two spans go for one, which is said, and come back with one undo."""
    found = model(
        page,
        """
        model.commit([S(0, 2, "A"), S(3, 5, "B"), S(6, 8, "A")]);
        model.select(1, 4);
        const { what, n } = model.label("C");
        const after = text(model.spans);
        model.undo();
        return [what, n, after, text(model.spans)];
        """,
    )

    assert found == ["replaced", 2, "1-5 C, 6-8 A", "0-2 A, 3-5 B, 6-8 A"]


def test_a_double_click_selects_a_word(page: Page) -> None:
    """With a brush it is marked at once."""
    found = model(
        page,
        """
        model.tap(2); model.double(2);
        const selected = model.selection;
        model.label("A");
        model.choose("B");
        model.tap(4); model.double(4);
        return [selected, text(model.spans)];
        """,
    )

    assert found == [{"start": 2, "end": 3}, "2-3 A, 4-5 B"]


def test_a_border_stops_at_its_neighbours(page: Page) -> None:
    """A border that is dragged pushes no other span away, and a span keeps one token."""
    found = model(
        page,
        """
        model.commit([S(0, 2, "A"), S(3, 5, "B"), S(6, 8, "A")]);
        const seen = [];
        for (const [side, token] of [["end", 7], ["start", 0], ["start", 7]]) {
          model.move(3); model.hold(side, token); model.release(); seen.push(text(model.spans));
        }
        return seen;
        """,
    )

    assert found == ["0-2 A, 3-6 B, 6-8 A", "0-2 A, 2-6 B, 6-8 A", "0-2 A, 5-6 B, 6-8 A"]


def test_spans_that_do_not_fit_are_left_out(page: Page) -> None:
    """What a page hands in, from a draft or from elsewhere, is made to fit."""
    found = model(
        page,
        """
        const odd = [S(1, 3, "C"), S(7, 9, "A"), S(-1, 1, "A"), S(3, 3, "A")];
        model.commit([S(4, 6, "B"), S(0, 2, "A"), ...odd]);
        return text(model.spans);
        """,
    )

    assert found == "0-2 A, 4-6 B"


def test_borders_of_tokens_are_code_points(page: Page) -> None:
    """Families, flags, combining marks and letters beyond the first plane come out whole."""
    text = "👨‍👩‍👧 met Zoe\u0301 in 𠮷野家 🇮🇹!"
    tokens = ["👨‍👩‍👧", "met", "Zoe\u0301", "in", "𠮷", "野", "家", "🇮🇹", "!"]
    borders, at = [], 0
    for token in tokens:
        at = text.index(token, at)
        borders.append([at, at + len(token)])
        at += len(token)

    found = page.evaluate(
        """async (sentence) => {
          const { covered, pieces } = await import("/assets/any/editor-text.js");
          return [pieces(sentence), covered(sentence, { start: 2, end: 6 })];
        }""",
        {"text": text, "tokens": borders},
    )

    assert found[0]["tokens"] == tokens
    assert found[0]["gaps"] == ["", " ", " ", " ", " ", "", "", " ", "", ""]
    assert found[1] == "Zoe\u0301 in 𠮷野"
