"""A what-if in words and rows."""

from collections.abc import Callable

from spancrew.whatif import WhatIf, WhatIfFigure

Shown = Callable[[float], str]


def what_if_head() -> tuple[str, ...]:
    """Return the head of the table."""
    return ("", "as it was", "what if", "95 % interval", "it is")


def what_if_rows(found: WhatIf) -> list[tuple[str, ...]]:
    """Return the figures before and after, and which of them are known."""
    before, after = found.before, found.after
    return [
        ("sentences with other labels", "", *_told(found.changed, _count)),
        (
            "sentences that experts decide",
            _share(before.expert_share.estimate),
            *_told(after.expert_share, _share),
        ),
        ("F1 of the final labels", _f1(before.f1.estimate), *_told(after.f1, _f1)),
        ("cost", _money(before.cost.estimate), *_told(after.cost, _money)),
        ("answers paid", _count(before.answers), _count(after.answers), "", ""),
        *(
            (f"experts' labels: {word}", _count(was), _count(now), "", "")
            for word, was, now in zip(_EXPERTS, before.experts, after.experts, strict=True)
        ),
    ]


_EXPERTS = ("asked by the rule", "warm-up", "audits")


def what_if_title(found: WhatIf) -> str:
    """Return what is tried, on what."""
    after = found.after
    return (
        f"What if {after.rule} with {after.consensus} on up to {after.answers_each} answers: "
        f"{found.sentences:,} sentences"
    )


def _told(figure: WhatIfFigure, shown: Shown) -> tuple[str, ...]:
    value = shown(figure.estimate)
    if figure.known:
        return value, "", "known"
    return value, f"{shown(figure.low)} to {shown(figure.high)}", "estimate"


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _f1(value: float) -> str:
    return f"{value:.3f}"


def _money(value: float) -> str:
    return f"{value:,.2f}"
