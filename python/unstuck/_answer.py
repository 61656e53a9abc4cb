"""What all answers have."""

from __future__ import annotations

import dataclasses
import html
from typing import Any, ClassVar, TypeVar

A = TypeVar("A", bound="Answer")


class Answer:
    """An answer, or a part of one. Its fields are those of the JSON that the program prints."""

    _nested: ClassVar[dict[str, Any]] = {}
    _names: ClassVar[dict[str, str]] = {}

    @classmethod
    def from_json(cls: type[A], data: dict[str, Any]) -> A:
        """Makes an answer of an object of JSON; fields that it does not know are left out.

        Raises:
            TypeError: A field is missing that every such answer has.
        """
        known = {field.name for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        fields: dict[str, Any] = {}
        for key, value in data.items():
            name = cls._names.get(key, key)
            if name in known:
                fields[name] = _made(cls._nested.get(key), value)
        return cls(**fields)

    def to_json(self) -> dict[str, Any]:
        """The same as an object of JSON, without the fields that are `None`."""
        keys = {name: key for key, name in self._names.items()}
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        values = {keys.get(field.name, field.name): getattr(self, field.name) for field in fields}
        return {key: _plain(value) for key, value in values.items() if value is not None}

    def _repr_html_(self) -> str:
        """The answer in a notebook: its sentence, and the board where it has one."""
        said = getattr(self, "sentence", None) or type(self).__name__
        board = getattr(self, "board", None)
        text = f"<p>{html.escape(str(said))}</p>"
        return text + (f"<pre>{html.escape(board)}</pre>" if isinstance(board, str) else "")


def _made(shape: Any, value: Any) -> Any:
    if shape is None or value is None:
        return value
    if isinstance(shape, list):
        return [_made(shape[0], each) for each in value]
    return shape.from_json(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Answer):
        return value.to_json()
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value
