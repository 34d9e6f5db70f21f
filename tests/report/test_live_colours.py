"""The hues of live figures can be told apart on both themes and in every colour vision."""

import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest

from spancrew.core import FloatArray
from spancrew.report.live import HUES

CSS = (files("spancrew.report") / "live/live.css").read_text(encoding="utf-8")
HUE = [re.findall(rf"--s{k}: (#\w+);", CSS) for k in range(HUES)]
THEMES = {"light": [h[0] for h in HUE], "dark": [h[1] for h in HUE], "print": [h[2] for h in HUE]}
CARDS = {"light": "#ffffff", "dark": "#1e2125", "print": "#ffffff"}

# Machado, Oliveira and Fernandes 2009 (doi:10.1109/TVCG.2009.113), full severity, linear light.
VISIONS = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def light(colour: str) -> FloatArray:
    """Return the linear light of a colour."""
    parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def perceived(linear: FloatArray) -> FloatArray:
    """Return the colour in Oklab, where equal distances look equally different."""
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    opponents = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return np.asarray(opponents @ np.cbrt(cones @ np.clip(linear, 0, 1)))


@pytest.mark.parametrize("theme", THEMES)
def test_every_hue_stands_out_from_the_card(theme: str) -> None:
    """At least 3:1, what WCAG asks of graphics."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    card = weights @ light(CARDS[theme]) + 0.05
    ratios = [(weights @ light(hue) + 0.05) / card for hue in THEMES[theme]]

    assert min(max(r, 1 / r) for r in ratios) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISIONS)
def test_hues_stay_apart_in_every_vision(theme: str, vision: str) -> None:
    """A distance of 0.02 in Oklab is just noticeable; ours are several times that."""
    seen = [perceived(np.array(VISIONS[vision]) @ light(hue)) for hue in THEMES[theme]]

    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)) > 0.07


def test_paper_has_the_hues_of_the_light_theme() -> None:
    """Print does not inherit the dark theme."""
    assert THEMES["print"] == THEMES["light"]
