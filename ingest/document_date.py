"""Dates as documents give them, brought to ISO 8601."""

import datetime
import re
from email.utils import parsedate_to_datetime

_YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d{2})(?P<part>[-_./]?)(?P<m>0[1-9]|1[0-2])(?P=part)(?P<d>0[1-9]|[12]\d|3[01])(?!\d)"
)
_PDF_DATE = re.compile(r"D:(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})")
_LONE_DATE = re.compile(r"(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?:[T\s].*)?")


def iso_date(written: str) -> str | None:
    """``written`` as ``YYYY-MM-DD``; None if it is no date in ISO, PDF or mail notation."""
    written = written.strip()
    for pattern in (_LONE_DATE, _PDF_DATE):
        found = pattern.match(written)
        if found:
            return _date(found)
    try:
        return parsedate_to_datetime(written).date().isoformat()
    except (ValueError, TypeError):
        return None


def date_in_name(name: str) -> str | None:
    """A year-month-day in a file name, as ``YYYY-MM-DD``."""
    found = _YEAR_FIRST.search(name)
    return _date(found) if found else None


def _date(found: re.Match[str]) -> str | None:
    try:
        return datetime.date(int(found["y"]), int(found["m"]), int(found["d"])).isoformat()
    except ValueError:
        return None
