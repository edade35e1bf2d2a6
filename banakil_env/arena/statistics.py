"""Means with confidence intervals, from one number per deal.

Tables of one deal share their cards and are not independent, so they are first averaged to one number for the deal (its
cluster). Deals are independent, and the interval is that of the mean over deals by Student's distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Interval:
    """A mean with the half width of its confidence interval.

    Attributes:
        mean: the mean over the deals.
        half_width: half the width of the interval; infinite with fewer than two deals.
        deals: the number of deals.
    """

    mean: float
    half_width: float
    deals: int

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.half_width

    def __str__(self) -> str:
        return f"{self.mean:+z.2f} ± {self.half_width:.2f}"


def interval(values: npt.ArrayLike, level: float = 0.95) -> Interval:
    """The mean of independent values with its interval.

    Args:
        values: one per deal; NaN for a deal without a value.
        level: the confidence level.
    """
    numbers = np.asarray(values, float)
    numbers = numbers[~np.isnan(numbers)]
    count = len(numbers)
    if count < 2:
        return Interval(float(numbers.mean()) if count else math.nan, math.inf, count)
    error = float(numbers.std(ddof=1)) / math.sqrt(count)
    return Interval(float(numbers.mean()), student_quantile(level, count - 1) * error, count)


def interval_of_ratio(values: npt.ArrayLike, others: npt.ArrayLike, level: float = 0.95) -> Interval:
    """The ratio of two means over the same deals, with its interval by the delta method.

    Args:
        values: (deals,), the numerator.
        others: (deals,), the denominator. Its mean must be far from 0 compared with its standard error.
        level: the confidence level.
    """
    above, below = np.asarray(values, float), np.asarray(others, float)
    ratio = above.mean() / below.mean()
    return interval(ratio + (above - ratio * below) / below.mean(), level)


def student_quantile(level: float, degrees: int) -> float:
    """The number of standard errors on both sides of 0 that covers a share of Student's distribution.

    It is accurate to a thousandth: exact for one and two degrees of freedom, above that by Hill's expansion
    (Communications of the ACM 13, 1970, algorithm 396).

    Args:
        level: the share, such as 0.95.
        degrees: the degrees of freedom.
    """
    tail = 1 - level
    if degrees == 1:
        return math.tan(math.pi * level / 2)
    if degrees == 2:
        return math.sqrt(2 / (tail * (2 - tail)) - 2)
    a = 1 / (degrees - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * degrees
    y = (d * tail) ** (2 / degrees)
    if y > 0.05 + a:
        x = NormalDist().inv_cdf(tail / 2)
        y = x * x
        if degrees < 5:
            c += 0.3 * (degrees - 4.5) * (x + 0.6)
        c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        return math.sqrt(degrees * math.expm1(a * y * y))
    y = (
        (1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3) + 0.5 / (degrees + 4)) * y - 1
    ) * (degrees + 1) / (degrees + 2) + 1 / y
    return math.sqrt(degrees * y)
