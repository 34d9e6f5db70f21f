"""From a share to the normal number below which it lies."""

import math

from spancrew.core._kernel import kernel, kernel_part


@kernel
def normal_quantile(share: float) -> float:
    """Return the number below which a share of the standard normal distribution lies.

    Wichura's PPND16 (AS 241, doi:10.2307/2347330), right to 16 digits. Shares of 0 and 1 are
    taken as 2**-54 from there, so that the result is finite.
    """
    off = share - 0.5
    if abs(off) <= 0.425:
        return off * _near(0.180625 - off * off)
    tail = max(min(share, 1.0 - share), 2.0**-54)
    r = math.sqrt(-math.log(tail))
    far = _far(r - 1.6) if r <= 5.0 else _farther(r - 5.0)
    return far if off > 0 else -far


@kernel_part
def _near(r: float) -> float:
    top = r * 2509.0809287301226727 + 33430.575583588128105
    top = ((top * r + 67265.770927008700853) * r + 45921.953931549871457) * r
    top = ((top + 13731.693765509461125) * r + 1971.5909503065514427) * r
    top = (top + 133.14166789178437745) * r + 3.387132872796366608
    low = r * 5226.495278852545925 + 28729.085735721942674
    low = ((low * r + 39307.89580009271061) * r + 21213.794301586595867) * r
    low = ((low + 5394.1960214247511077) * r + 687.1870074920579083) * r
    return top / ((low + 42.313330701600911252) * r + 1.0)


@kernel_part
def _far(r: float) -> float:
    top = r * 7.7454501427834140764e-4 + 0.0227238449892691845833
    top = ((top * r + 0.24178072517745061177) * r + 1.27045825245236838258) * r
    top = ((top + 3.64784832476320460504) * r + 5.7694972214606914055) * r
    top = (top + 4.6303378461565452959) * r + 1.42343711074968357734
    low = r * 1.05075007164441684324e-9 + 5.475938084995344946e-4
    low = ((low * r + 0.0151986665636164571966) * r + 0.14810397642748007459) * r
    low = ((low + 0.68976733498510000455) * r + 1.6763848301838038494) * r
    return top / ((low + 2.05319162663775882187) * r + 1.0)


@kernel_part
def _farther(r: float) -> float:
    top = r * 2.01033439929228813265e-7 + 2.71155556874348757815e-5
    top = ((top * r + 0.0012426609473880784386) * r + 0.026532189526576123093) * r
    top = ((top + 0.29656057182850489123) * r + 1.7848265399172913358) * r
    top = (top + 5.4637849111641143699) * r + 6.6579046435011037772
    low = r * 2.04426310338993978564e-15 + 1.4215117583164458887e-7
    low = ((low * r + 1.8463183175100546818e-5) * r + 7.868691311456132591e-4) * r
    low = ((low + 0.0148753612908506148525) * r + 0.13692988092273580531) * r
    return top / ((low + 0.59983220655588793769) * r + 1.0)
