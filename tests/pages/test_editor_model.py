"""What the editor knows of a sentence, without any page: spans, selection, steps back."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from spancrew.formats import read
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


def test_a_span_that_would_go_is_asked_about(page: Page) -> None:
    """Those that lose a part give way; one that would be lost goes only if it is said twice."""
    found = model(
        page,
        """
        const start = [S(0, 2, "A"), S(3, 5, "B"), S(6, 8, "A")];
        const seen = [];
        const act = (anchor, head, ...labels) => {
          while (model.undo()) {}
          model.commit(start); model.select(anchor, head);
          const notes = labels.map((label) => model.label(label)?.what ?? null);
          seen.push([notes.join(" "), text(model.spans)]);
        };
        act(1, 2, "C"); act(1, 4, "C"); act(1, 4, "C", "C"); act(1, 4, "C", "A", "A");
        act(1, 2, "A"); act(6, 6, "A"); act(0, 7, "A", "A"); act(3, 4, "A"); act(5, 5, "C");
        model.commit([S(0, 5, "A")]); model.select(2, 2);
        seen.push([model.label("B").what, text(model.spans)]);
        model.escape(); model.select(2, 2);
        seen.push([model.label("B").what, text(model.spans)]);
        return seen;
        """,
    )

    start = "0-2 A, 3-5 B, 6-8 A"
    assert found == [
        ["cut", "0-1 A, 1-3 C, 3-5 B, 6-8 A"],
        ["asked", start],
        ["asked replaced", "0-1 A, 1-5 C, 6-8 A"],
        ["asked asked replaced", "0-5 A, 6-8 A"],
        ["marked", "0-3 A, 3-5 B, 6-8 A"],
        ["marked", "0-2 A, 3-5 B, 6-7 A"],
        ["asked replaced", "0-8 A"],
        ["marked", "0-2 A, 3-5 A, 6-8 A"],
        ["marked", "0-2 A, 3-5 B, 5-6 C, 6-8 A"],
        ["asked", "0-5 A"],
        ["asked", "0-5 A"],
    ]


def test_a_double_click_marks_a_word(page: Page) -> None:
    """With the label that was used last or with a brush; before any was used it is selected."""
    found = model(
        page,
        """
        model.words = [{ start: 0, end: 2 }, { start: 2, end: 4 }, { start: 4, end: 8 }];
        model.tap(3); model.double(3);
        const selected = model.selection;
        model.label("A");
        model.tap(0); model.double(0); model.label("C");
        model.choose("B");
        model.tap(6); model.double(6);
        return [selected, text(model.spans)];
        """,
    )

    assert found == [{"start": 2, "end": 4}, "0-2 C, 2-4 A, 4-8 B"]


_FEWEST_KEYS = """async ([rows, language]) => {
  const { Model } = await import("/assets/any/editor-model.js");
  const { runsOf, wordsOf } = await import("/assets/any/editor-jumps.js");
  const { pieces } = await import("/assets/any/editor-text.js");
  const keys = [
    ...[-1, 1].flatMap((step) => [false, true].flatMap((isShift) => [
      (model) => model.move(model.focus + step, isShift), (model) => model.word(step, isShift),
      (model) => model.move(step * Infinity, isShift)])),
    ...[-1, 1].flatMap((step) => [
      (model) => model.run(step), (model) => model.nudge("start", step),
      (model) => model.nudge("end", step)]),
    (model) => model.reach(),
  ];
  const fewest = (model, span, acts) => {
    const now = () => ({ focus: model.focus, anchor: model.anchor, head: model.head });
    const seen = new Set();
    for (let [layer, count] = [[now()], 0]; layer.length; count += 1) {
      const next = [];
      for (const state of layer) {
        Object.assign(model, state);
        const { start, end } = model.selection ?? { start: model.focus, end: model.focus + 1 };
        if (start === span.start && end === span.end) return count;
        for (const act of acts) {
          Object.assign(model, state);
          // Without a selection, brackets change spans, which is not what is wanted here.
          if (model.selection === null && /nudge/.test(act)) continue;
          act(model);
          const name = Object.values(now()).join();
          if (!seen.has(name)) next.push(now());
          seen.add(name);
        }
      }
      layer = next;
    }
    throw new Error("there is no way");
  };
  const plain = keys.filter((act) => /move/.test(act));
  const told = { spans: 0, plain: 0, all: 0 };
  for (const { sentence, spans } of rows) {
    const { tokens } = pieces(sentence);
    const places = { words: wordsOf(sentence, language), runs: runsOf(tokens) };
    for (const [name, acts] of [["plain", plain], ["all", keys]]) {
      const model = new Model(tokens.length, [], places);
      for (const span of spans) {
        told[name] += fewest(model, span, acts) + 1;
        model.label(span.label);
      }
    }
    told.spans += spans.length;
  }
  return told;
}"""


@pytest.mark.parametrize(("name", "size", "most"), [("demo", 25, 2.7), ("demo-zh", 60, 4.0)])
def test_a_span_takes_at_most_four_keys(page: Page, name: str, size: int, most: float) -> None:
    """By the shortest way from span to span, the key of the label included."""
    data = read(name).dataset.take(np.arange(size))
    rows = [
        {
            "sentence": {"text": sentence.text, "tokens": [list(b) for b in sentence.bounds]},
            "spans": [
                {"start": span.start, "end": span.end, "label": span.label}
                for span in data.gold_spans(k) or ()
            ],
        }
        for k, sentence in enumerate(data.sentences)
    ]
    told = page.evaluate(_FEWEST_KEYS, [rows, name[5:] or "en"])

    assert told["spans"] > 25
    assert told["all"] / told["spans"] <= most < told["plain"] / told["spans"]


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
