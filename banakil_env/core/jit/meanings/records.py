"""Replacements in compiled code for the functions of `core/records.py`: they write memory at constant offsets."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from banakil_env.core.records import clear_fields, cleared, copy_fields, copy_places, copy_record

_BYTE = ir.IntType(8)


def _text_of(names: Any) -> str:
    if not isinstance(names, types.Literal):
        raise TypingError(f"the names of fields must be a constant text, not {names}")
    return str(names.literal_value)


def _names_in(names: Any, *records: Any) -> list[str]:
    return [name for name in _text_of(names).split() if all(name in record.fields for record in records)]


def _bytes_of(record: Any, name: str) -> int:
    """The size of a field in bytes."""
    kind = record.typeof(name)
    if isinstance(kind, types.Record):
        return int(kind.size)
    return int(kind.nitems * kind.size if isinstance(kind, types.NestedArray) else kind.bitwidth // 8)


@intrinsic(prefer_literal=True)
def _clear_fields(typingctx: Any, record: Any, names: Any) -> Any:
    found = [(name, number) for name, number in cleared(_text_of(names)) if name in record.fields]

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for name, number in found:
            start, size = record.offset(name), _bytes_of(record, name)
            if number == 0:
                address = cgutils.get_record_member(builder, args[0], start, _BYTE)
                cgutils.memset(builder, address, context.get_constant(types.intp, size), 0)
                continue
            kind = record.typeof(name)
            cell = ir.IntType((kind.dtype if isinstance(kind, types.NestedArray) else kind).bitwidth)
            for i in range(8 * size // cell.width):
                address = cgutils.get_record_member(builder, args[0], start + i * cell.width // 8, cell)
                builder.store(ir.Constant(cell, number), address, align=1)
        return context.get_dummy_value()

    return types.none(record, names), emit


def _names_alike(names: Any, source: Any, record: Any) -> list[str]:
    """The names of the fields that both records have.

    Raises:
        TypingError: a field has different types in the two records.
    """
    found = _names_in(names, source, record)
    for name in found:
        if source.typeof(name) != record.typeof(name):
            raise TypingError(f"{name} is {source.typeof(name)} in one record and {record.typeof(name)} in the other")
    return found


@intrinsic(prefer_literal=True)
def _copy_fields(typingctx: Any, source: Any, record: Any, names: Any) -> Any:
    found = _names_alike(names, source, record)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for name in found:
            start = cgutils.get_record_member(builder, args[0], source.offset(name), _BYTE)
            target = cgutils.get_record_member(builder, args[1], record.offset(name), _BYTE)
            cgutils.raw_memcpy(builder, target, start, context.get_constant(types.intp, _bytes_of(record, name)), 1)
        return context.get_dummy_value()

    return types.none(source, record, names), emit


@intrinsic(prefer_literal=True)
def _copy_places(typingctx: Any, source: Any, record: Any, names: Any, place: Any, to: Any) -> Any:
    found = _names_alike(names, source, record)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for name in found:
            number = ir.IntType(source.typeof(name).dtype.bitwidth)
            row = cgutils.get_record_member(builder, args[0], source.offset(name), number)
            target = cgutils.get_record_member(builder, args[1], record.offset(name), number)
            value = builder.load(builder.gep(row, [args[3]]), align=1)
            builder.store(value, builder.gep(target, [args[4]]), align=1)
        return context.get_dummy_value()

    return types.none(source, record, names, types.intp, types.intp), emit


@intrinsic
def _copy_record(typingctx: Any, source: Any, record: Any) -> Any:
    if source != record or not isinstance(record, types.Record):
        raise TypingError(f"copy_record() takes two records of the same dtype, not {source} and {record}")

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[1], args[0], context.get_constant(types.intp, record.size), 1)
        return context.get_dummy_value()

    return types.none(source, record), emit


@overload(clear_fields, strict=False, prefer_literal=True)
def _overload_clear_fields(record: Any, names: Any) -> Any:
    return lambda record, names: _clear_fields(record, names)


@overload(copy_fields, strict=False, prefer_literal=True)
def _overload_copy_fields(source: Any, record: Any, names: Any) -> Any:
    return lambda source, record, names: _copy_fields(source, record, names)


@overload(copy_places, strict=False, prefer_literal=True)
def _overload_copy_places(source: Any, record: Any, names: Any, place: Any, to: Any) -> Any:
    return lambda source, record, names, place, to: _copy_places(source, record, names, place, to)


@overload(copy_record, strict=False)
def _overload_copy_record(source: Any, record: Any) -> Any:
    return lambda source, record: _copy_record(source, record)
