from __future__ import annotations

import re
from datetime import timedelta
from typing import Union

from typing_extensions import TypeAlias

Duration: TypeAlias = Union[str, float, timedelta]
"""`90s`, `30m`, `2h`, `1d`, a number of seconds, or a `timedelta`."""

_UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def to_seconds(duration: Duration) -> float:
    if isinstance(duration, timedelta):
        return duration.total_seconds()
    if not isinstance(duration, str):
        return float(duration)
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", duration)
    if found is None:
        raise ValueError(f"{duration!r} is not a duration; write 90s, 30m, 2h or 1d")
    return float(found[1]) * _UNITS_S[found[2]]
