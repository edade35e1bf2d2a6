"""Replacements in compiled code for the functions of `core/bits.py`: one or a few machine instructions each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from banakil_env.core.bits import (
    clear_cells,
    clear_record,
    fetch_ahead,
    highest,
    lowest,
    only_if,
    popcount,
    read_bits,
    write_bits,
    write_counts,
)


def _of_one_instruction(emitted: Callable[[Any, Any], Any]) -> Any:
    """A compiled function of a mask that is one instruction; `emitted` gets LLVM's builder and the mask."""

    @intrinsic
    def instruction(typingctx: Any, mask: Any) -> Any:
        return types.int64(types.int64), lambda context, builder, signature, args: emitted(builder, args[0])

    return instruction


_popcount = _of_one_instruction(lambda builder, mask: builder.ctpop(mask))
_lowest = _of_one_instruction(lambda builder, mask: builder.cttz(mask, cgutils.true_bit))
_leading_zeros = _of_one_instruction(lambda builder, mask: builder.ctlz(mask, cgutils.true_bit))


@overload(popcount, strict=False)
def _overload_popcount(mask: Any) -> Any:
    return lambda mask: _popcount(mask)


@overload(lowest, strict=False)
def _overload_lowest(mask: Any) -> Any:
    return lambda mask: _lowest(mask)


@overload(highest, strict=False)
def _overload_highest(mask: Any) -> Any:
    return lambda mask: 63 - _leading_zeros(mask)


@intrinsic
def _clear_record(typingctx: Any, record: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.memset(builder, args[0], context.get_constant(types.intp, record.size), 0)
        return context.get_dummy_value()

    return types.none(record), emit


@overload(clear_record, strict=False)
def _overload_clear_record(record: Any) -> Any:
    return lambda record: _clear_record(record)


@intrinsic(prefer_literal=True)
def _write_counts(typingctx: Any, cells: Any, first: Any, one: Any, two: Any, count: Any) -> Any:
    number = _number_of_cells(cells, count)
    width = 1 << number.bit_length() - 1  # of a vector; two overlapping vectors cover any number of cells

    def spread(builder: Any, mask: Any, skipped: int) -> Any:
        bits = builder.trunc(builder.lshr(mask, mask.type(skipped)), ir.IntType(width))
        lanes = builder.bitcast(bits, ir.VectorType(_BIT, width))
        return builder.zext(lanes, ir.VectorType(_BYTE, width))

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        start = _cell_address(context, builder, signature, args)
        for skipped in sorted({0, number - width}):
            lanes = builder.add(spread(builder, args[2], skipped), spread(builder, args[3], skipped))
            address = builder.gep(start, [ir.IntType(64)(skipped)])
            builder.store(lanes, builder.bitcast(address, lanes.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.none(cells, types.int64, types.int64, types.int64, count), emit


@intrinsic(prefer_literal=True)
def _read_bits(typingctx: Any, cells: Any, first: Any, count: Any) -> Any:
    lane_type = ir.VectorType(_BYTE, _number_of_cells(cells, count))

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = builder.bitcast(_cell_address(context, builder, signature, args), lane_type.as_pointer())
        lanes = builder.load(address, align=1)
        bits = builder.bitcast(builder.icmp_unsigned("!=", lanes, lane_type(None)), ir.IntType(lane_type.count))
        return builder.zext(bits, ir.IntType(64))

    return types.int64(cells, types.int64, count), emit


_BIT, _BYTE = ir.IntType(1), ir.IntType(8)


def _number_of_cells(cells: Any, count: Any) -> int:
    if not isinstance(count, types.IntegerLiteral) or not 1 <= count.literal_value <= 64:
        raise TypingError(f"the number of cells must be a constant from 1 to 64, not {count}")
    if cells.ndim != 1 or cells.layout != "C" or cells.dtype.bitwidth != 8:
        raise TypingError(f"the cells must be a contiguous row of bytes, not {cells}")
    return int(count.literal_value)


def _cell_address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of the cell at index args[1] of the array args[0]."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.gep(builder.bitcast(array.data, _BYTE.as_pointer()), [args[1]])


@overload(clear_cells, strict=False)
def _overload_clear_cells(cells: Any) -> Any:
    def clear(cells: Any) -> None:
        for i in range(cells.shape[0]):  # the compiler makes this a single call
            cells[i] = 0

    return clear


_LINE = 64  # bytes that a processor loads at once


@intrinsic
def _fetch_line(typingctx: Any, memory: Any, offset: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, start = signature.args[0], args[0]
        if isinstance(kind, types.Array):
            start = context.make_array(kind)(context, builder, start).data
        address = builder.gep(builder.bitcast(start, _BYTE.as_pointer()), [args[1]])
        number = ir.IntType(32)
        prefetch = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [address.type, number, number, number]),
            "llvm.prefetch.p0",
        )
        to_write, to_keep, data = number(1), number(3), number(1)
        builder.call(prefetch, [address, to_write, to_keep, data])
        return context.get_dummy_value()

    return types.none(memory, types.int64), emit


@overload(fetch_ahead, strict=False)
def _overload_fetch_ahead(memory: Any) -> Any:
    if isinstance(memory, types.Record):
        size = memory.size

        def fetch_record(memory: Any) -> None:
            for offset in range(0, size, _LINE):
                _fetch_line(memory, offset)

        return fetch_record

    def fetch_row(memory: Any) -> None:
        for offset in range(0, memory.shape[0], _LINE):
            _fetch_line(memory, offset)

    return fetch_row


@overload(only_if, strict=False)
def _overload_only_if(condition: Any, mask: Any) -> Any:
    return lambda condition, mask: mask & -int(condition)


@overload(write_counts, strict=False, prefer_literal=True)
def _overload_write_counts(cells: Any, first: Any, one: Any, two: Any, count: Any) -> Any:
    return lambda cells, first, one, two, count: _write_counts(cells, first, one, two, count)


@overload(write_bits, strict=False, prefer_literal=True)
def _overload_write_bits(cells: Any, first: Any, mask: Any, count: Any) -> Any:
    return lambda cells, first, mask, count: _write_counts(cells, first, mask, 0, count)


@overload(read_bits, strict=False, prefer_literal=True)
def _overload_read_bits(cells: Any, first: Any, count: Any) -> Any:
    return lambda cells, first, count: _read_bits(cells, first, count)
