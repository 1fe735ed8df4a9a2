"""What variables say: amounts, counts and switches, read or refused by the variable's name. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from math import isfinite

from muniment.domain.errors import Usage

__all__ = ["read_address", "read_amount", "read_count", "read_limit", "read_number", "read_switch"]


def read_amount(text: str) -> Decimal:
    """A finite number of 0 or more, exactly; ValueError or InvalidOperation for anything else."""
    found = Decimal(text.strip())
    if not found.is_finite() or found < 0:
        raise ValueError(text)
    return found


def read_limit(said: Mapping[str, str], name: str, default: Decimal | None) -> Decimal | None:
    """An amount, `none` for no limit."""
    text = said.get(name)
    if not text:
        return default
    if text == "none":
        return None
    try:
        return read_amount(text)
    except (ValueError, InvalidOperation):
        raise Usage(f"{name} {text!r} is not an amount of 0 or more, or none") from None


def read_number(said: Mapping[str, str], name: str, default: float) -> float:
    """A number above 0."""
    text = said.get(name)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not isfinite(value) or value <= 0:
        raise Usage(f"{name} {text!r} is not a number above 0")
    return value


def read_count(said: Mapping[str, str], name: str, default: int) -> int:
    """A whole number above 0."""
    text = said.get(name)
    if not text:
        return default
    if not text.isdecimal() or not int(text):
        raise Usage(f"{name} {text!r} is not a whole number above 0")
    return int(text)


def read_switch(said: Mapping[str, str], name: str) -> bool:
    """`on`, or `off`, which is the default."""
    text = said.get(name) or "off"
    if text not in ("on", "off"):
        raise Usage(f"{name} {text!r} is not on or off")
    return text == "on"


def read_address(said: Mapping[str, str], name: str) -> str | None:
    """A server's address."""
    text = said.get(name) or None
    if text is not None and not text.startswith(("http://", "https://")):
        raise Usage(f"{name} must begin with http:// or https://")
    return text
