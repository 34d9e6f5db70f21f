"""The effect of labels on a model as text, JSON and a page."""

from spancrew.effect import ArmResult, Difference, Effect
from spancrew.report._html import document, note, section, table, tag, text
from spancrew.report.live import Axis, Interval, interval_figure

EFFECT_HEAD = ("trained on", "answers", "experts", "money", "labels", "P", "R", "F1")
DIFFERENCE_HEAD = ("better?", "than", "points", "95 % of draws", "seeds")

_ABOUT = {
    "all answers": "every answer as an example of its own",
    "random crew": "answers of random workers, each an example",
    "selected crew": "as many answers, of workers whom a policy chose",
    "majority vote": "one label per sentence, by a vote over all answers",
    "same money": "fewer answers and some experts, for the money of the vote",
    "final": "final labels: all answers joined, and experts where they are doubtful",
    "gold": "experts everywhere",
}


def effect_rows(found: Effect) -> list[list[str]]:
    """Return the arms as text, under EFFECT_HEAD; scores in percent."""
    return [_row(each) for each in found.arms]


def _row(arm: ArmResult) -> list[str]:
    return [
        arm.name,
        f"{arm.answers:,.0f}",
        f"{arm.experts:,.0f}",
        f"{arm.money:,.0f}",
        f"{100 * arm.label_f1:.1f}",
        f"{100 * arm.precision.mean:.1f}",
        f"{100 * arm.recall.mean:.1f}",
        f"{100 * arm.f1.mean:.1f} ± {100 * arm.f1.sd:.1f}",
    ]


def difference_rows(found: Effect) -> list[list[str]]:
    """Return the comparisons as text, under DIFFERENCE_HEAD; differences in points of F1."""
    return [
        [
            each.better,
            each.worse,
            f"{100 * each.mean:+.1f}",
            f"{100 * each.low:+.1f} to {100 * each.high:+.1f}",
            f"{each.wins} of {len(each.by_seed)}",
        ]
        for each in found.differences
    ]


def effect_sentences(found: Effect) -> list[str]:
    """Say what came out, and whether chance can explain it."""
    return [_said(each) for each in found.differences if each.worse != "gold"] + _to_gold(found)


def _said(each: Difference) -> str:
    points = 100 * each.mean
    how = "better" if points > 0 else "worse"
    sure = (
        "in all seeds, and chance in the test sentences does not explain it"
        if each.is_clear
        else "but seeds or test sentences disagree, so this may be chance"
    )
    return (
        f"{each.better} against {each.worse} ({each.equal}): {abs(points):.1f} points {how}, "
        f"{sure}."
    )


def _to_gold(found: Effect) -> list[str]:
    behind = [
        f"{each.better} {-100 * each.mean:.1f}"
        for each in found.differences
        if each.worse == "gold"
    ]
    return [f"Points behind the same model on gold: {', '.join(behind)}."] if behind else []


def effect_notes(found: Effect) -> list[str]:
    """Say how it was measured."""
    design = found.design
    made = [
        (
            f"{found.sentences:,} sentences to train on, {found.test_sentences:,} to test on; "
            f"{len(found.seeds)} seeds, ± one standard deviation. 'labels' is the exact F1 of "
            "what is trained on; P, R and F1 are exact scores of the model on the test, in "
            f"percent. Crews give up to {found.crew_answers} answers on a sentence; experts label "
            f"{100 * design.experts:g} % of the sentences; an answer costs "
            f"{design.prices.answer:g}, an expert's label {design.prices.expert:g}."
        ),
        "The same stopping rule holds for all arms, and gold of the test is used for scores only.",
    ]
    if found.known_sentences:
        made.append(
            f"{found.known_sentences:,} test sentences are also in the training data, which "
            "flatters all arms."
        )
    return made


def effect_figure(found: Effect) -> str:
    """Draw the F1 of the model on every arm, with its spread over seeds."""
    rows = [
        Interval(
            each.name,
            100 * each.f1.mean,
            100 * (each.f1.mean - each.f1.sd),
            100 * (each.f1.mean + each.f1.sd),
        )
        for each in found.arms
    ]
    return interval_figure(
        f"Exact F1 of {found.model.partition(':')[0]} by what it was trained on",
        "Lines are one standard deviation over seeds.",
        rows,
        x=Axis("exact F1 on the test, percent"),
        value_name="mean and spread",
    )


def effect_page(name: str, found: Effect) -> str:
    """Return everything as one HTML page with no request to the outside."""
    model = found.model.partition(":")[0]
    about = [[each.name, _ABOUT.get(each.name, "")] for each in found.arms]
    return document(
        f"{name}: effect on models",
        tag("h1", text(f"{name}: what labels are worth to {model}")),
        *(tag("p", text(line), class_="lead") for line in effect_sentences(found)),
        section(
            "Scores",
            effect_figure(found),
            table(EFFECT_HEAD, effect_rows(found)),
            *map(note, effect_notes(found)),
        ),
        section("Differences, in points of F1", table(DIFFERENCE_HEAD, difference_rows(found))),
        section("What is trained on", table(("arm", "is"), about)),
        live=True,
    )
