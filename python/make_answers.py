"""Makes `unstuck/answers.py` from `docs/schema.json`: a dataclass for each answer.

    python python/make_answers.py           writes the file
    python python/make_answers.py --check   fails where it is another one

So answers in Python are the objects that the program prints with `--json`, field by field.
"""

from __future__ import annotations

import json
import keyword
import sys
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SCHEMA = HERE.parent / "docs" / "schema.json"
FILE = HERE / "unstuck" / "answers.py"

#: The objects that are about a level or a certificate, and what their classes are called.
OBJECTS = {
    "solve": "SolveAnswer",
    "constrained": "ConstrainedAnswer",
    "hint": "HintAnswer",
    "diagnose": "DiagnoseAnswer",
    "enumerate": "EnumerateAnswer",
    "needed": "NeededAnswer",
    "explain": "ExplainAnswer",
    "forced_pushes": "ForcedPushesAnswer",
    "forced_facts": "ForcedFactsAnswer",
    "difficulty": "LevelDifficultyAnswer",
    "prove": "ProveAnswer",
    "undecided": "UndecidedAnswer",
    "check": "CheckAnswer",
    "invalid": "InvalidAnswer",
    "generate": "GenerateAnswer",
    "export": "ExportAnswer",
    "decode": "DecodeAnswer",
}

#: What the program says of itself and of its files.
LEFT_OUT = {"schema", "command", "file", "question", "limits", "key", "version", "from_store", "cpu_seconds"}

HEAD = '''"""Answers as dataclasses: the objects that the program prints with `--json`.

Made from `docs/schema.json` by `python/make_answers.py`; not to be changed by hand.
"""

# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ._answer import Answer
'''

SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Maker:
    """Makes classes, those first that others need."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self.definitions = definitions
        self.made: dict[str, str] = {}

    def type_of(self, schema: Any) -> tuple[str, str | None]:
        """The annotation of a schema, and how nested classes are made of it."""
        if schema is True or schema == {}:
            return "Any", None
        if "$ref" in schema:
            return self.named(schema["$ref"].rsplit("/", 1)[1])
        if "enum" in schema:
            return self.literal(schema["enum"]), None
        if "const" in schema:
            return self.literal([schema["const"]]), None
        for several in ("anyOf", "oneOf"):
            if several in schema:
                parts = [self.type_of(part) for part in schema[several]]
                nested = [shape for _, shape in parts if shape]
                return self.union([kind for kind, _ in parts]), nested[0] if nested else None
        kinds = schema.get("type")
        if isinstance(kinds, list):
            parts = [self.type_of({**schema, "type": kind}) for kind in kinds]
            nested = [shape for _, shape in parts if shape]
            return self.union([kind for kind, _ in parts]), nested[0] if nested else None
        if kinds == "array":
            if "prefixItems" in schema:
                inner = ", ".join(self.type_of(part)[0] for part in schema["prefixItems"])
                return f"tuple[{inner}]", None
            kind, shape = self.type_of(schema.get("items", True))
            return f"list[{kind}]", f"[{shape}]" if shape else None
        if kinds == "object":
            values = schema.get("additionalProperties", True)
            kind, _ = self.type_of(values) if isinstance(values, dict) else ("Any", None)
            return f"dict[str, {kind}]", None
        if kinds is None:
            return "Any", None
        return SIMPLE[kinds], None

    @staticmethod
    def literal(words: list[Any]) -> str:
        some = ", ".join(json.dumps(word) for word in words if word is not None)
        return f"Literal[{some}]" + (" | None" if None in words else "")

    @staticmethod
    def union(kinds: list[str]) -> str:
        if "Any" in kinds:
            return "Any"
        literals = [kind[8:-1] for kind in kinds if kind.startswith("Literal[") and kind.endswith("]")]
        others = [kind for kind in kinds if not (kind.startswith("Literal[") and kind.endswith("]"))]
        joined = ([f"Literal[{', '.join(literals)}]"] if literals else []) + others
        flat = list(dict.fromkeys(part for kind in joined for part in kind.split(" | ")))
        if "None" in flat:
            flat = [part for part in flat if part != "None"] + ["None"]
        return " | ".join(flat)

    def named(self, name: str) -> tuple[str, str | None]:
        schema = self.definitions[name]
        if "properties" not in schema:
            return self.type_of(schema)
        if name not in self.made:
            self.add(name, name)
        return name, name

    def add(self, name: str, known: str) -> None:
        """Makes the class of a definition."""
        schema = self.definitions[name]
        required = set(schema.get("required", []))
        fields, nested, names = [], [], []
        for key, part in schema["properties"].items():
            if name in OBJECTS and key in LEFT_OUT:
                continue
            kind, shape = self.type_of(part)
            field = key + "_" if keyword.iskeyword(key) else key
            default = ""
            if key not in required:
                default = " = None"
                kind = self.union([kind, "None"])
            said = part.get("description") if isinstance(part, dict) else None
            fields.append(f"    {field}: {kind}{default}")
            if said:
                fields.append(textwrap.indent(quoted(said), "    "))
            if shape:
                nested.append(f'"{key}": {shape}')
            if field != key:
                names.append(f'"{key}": "{field}"')
        lines = ["", "", "@dataclass(frozen=True, kw_only=True)", f"class {known}(Answer):"]
        lines.append(textwrap.indent(quoted(schema.get("description", known + ".")), "    "))
        lines.append("")
        lines += fields
        lines.append(f"    _nested: ClassVar[dict[str, Any]] = {{{', '.join(nested)}}}")
        if names:
            lines.append(f"    _names: ClassVar[dict[str, str]] = {{{', '.join(names)}}}")
        if known in self.made:
            raise SystemExit(f"two classes are called {known}")
        self.made[known] = "\n".join(lines)


def quoted(text: str) -> str:
    """A docstring."""
    lines = textwrap.wrap(" ".join(text.split()), 88)
    return '"""' + "\n".join(lines) + ('\n"""' if len(lines) > 1 else '"""')


def made() -> str:
    """The text of the file."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    maker = Maker(schema["$defs"])
    maker.named("ReplayAnswer")
    for name, known in OBJECTS.items():
        maker.add(name, known)
    names = "\n".join(f'    "{name}",' for name in sorted(maker.made))
    return HEAD + f"\n__all__ = [\n{names}\n]" + "".join(f"{text}\n" for text in maker.made.values())


if __name__ == "__main__":
    text = made()
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE} is not what the schema says: run {Path(__file__).name}")
