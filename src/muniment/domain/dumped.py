"""Values in the JSON of the contract: what every door hands out, as it is published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from muniment.domain.times import format_instant

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["Json", "Value", "dump"]

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def dump(value: object) -> Json:
    """The JSON form: dataclasses become objects, instants RFC 3339, absent values null."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case datetime():
            return format_instant(value)
        case Mapping():
            return {str(key): dump(part) for key, part in value.items()}
        case list() | tuple() | frozenset():
            return [dump(part) for part in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _dump_fields(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _dump_fields(value: DataclassInstance) -> dict[str, Json]:
    return {part.name: dump(getattr(value, part.name)) for part in fields(value)}


class Value:
    """A public value: frozen, comparable, and dumpable to the JSON of the contract."""

    __slots__ = ()

    def model_dump(self) -> dict[str, Json]:
        """The value as the contract's JSON object."""
        return _dump_fields(self)  # type: ignore[arg-type]  # every Value is a dataclass
