"""What a reader should know beside the numbers."""

from spancrew.experiments._reproduction import What

_VARIANTS = (
    "authors: what the authors' code does, with Algorithm 2 switched on. ses:...: the protocol of "
    "the paper's text with SES answers, under three ways of breaking ties between candidates of "
    "equal score. calibrated: the same protocol with a crowd that makes the mistakes of real "
    "workers."
)
_SCORES = (
    "Scores are of the collected answers as one pool, in percent: proportional micro, exact macro "
    "over labels, token macro over tags."
)
_OEI = (
    "The crowd's answers on the training part of OEI are not available: answers are made towards "
    "the exact F1 of the paper's last table; proportional and token targets follow from it by a "
    "line through the same 70 workers in the development part."
)
_REGRET = (
    "10 answers on a sentence, crew 20, proportional F1. The paper prints no numbers for regret; "
    "the experts that 10 answers save are stated in its text."
)
_TAU = (
    "CUCB with a gate, 4 answers on a sentence. F1 as a share of that with experts only, and "
    "experts saved, beside the points that the text states."
)
_SIMULATOR = (
    "The two scores of every worker are from the development part of OEI, because the crowd's "
    "answers on the training part, which the paper used, are not available."
)

NOTES: dict[What, tuple[str, ...]] = {
    "table-2": (
        "Errors in points of F1. The paper's mean error is that of the workers it shows.",
    ),
    "table-3": (_VARIANTS, _SCORES),
    "table-4": (_VARIANTS, _SCORES, _OEI),
    "figure-regret": (_REGRET, _VARIANTS),
    "figure-tau": (_TAU, _VARIANTS),
    "simulator": (_SIMULATOR,),
    "bound": ("The paper's column is its bound; ours is the exact chance, and a simulation.",),
}

_WITHOUT_DATA = (
    "The paper's data sets were not found (SPANCREW_DATA); this is the bundled data set, so "
    "nothing can be compared with the paper."
)


def notes_of(what: What, *, has_paper: bool = True) -> tuple[str, ...]:
    """Return the notes; without the paper's data, those that are true of the bundled data."""
    if has_paper:
        return NOTES[what]
    true = tuple(line for line in NOTES[what] if line not in (_OEI, _SIMULATOR))
    return (*true, _WITHOUT_DATA)
