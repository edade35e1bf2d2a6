"""Checks the metadata and weights of an ONNX file before a runtime reads it.

An ONNX file is one protobuf message. Only the necessary parts are read here: the metadata, and every tensor of weights.
Graphs inside nodes (loops and branches), functions and weights in other files are refused, since an exported network
has none. Errors are ValueErrors whose messages continue a sentence that begins with the file's name.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

MOST_BYTES = 1 << 28  # twice the size of the largest network within the bounds of `agents.model.Shape`

# Field numbers in the messages of ONNX, and the wire types of protobuf.
_MODEL_GRAPH, _MODEL_METADATA, _MODEL_FUNCTIONS = 7, 14, 25
_GRAPH_NODE, _GRAPH_INITIALIZER, _GRAPH_SPARSE = 1, 5, 15
_NODE_ATTRIBUTE = 5
_ATTRIBUTE_TENSOR, _ATTRIBUTE_GRAPHS, _ATTRIBUTE_TENSORS, _ATTRIBUTE_SPARSE = 5, (6, 11), 10, (22, 23)
_TENSOR_TYPE, _TENSOR_FLOATS, _TENSOR_RAW, _TENSOR_DOUBLES, _TENSOR_ELSEWHERE = 2, 4, 9, 10, (13, 14)
_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_FLOATS = {1: "<f4", 10: "<f2", 11: "<f8"}  # types of tensors whose raw bytes can contain numbers that are not finite


def metadata_of(content: bytes) -> dict[str, str]:
    """The metadata of a file.

    Raises:
        ValueError: it is not an ONNX file, or has a key twice.
    """
    said: dict[str, str] = {}
    for number, entry in _fields(memoryview(content)):
        if number == _MODEL_METADATA:
            parts = {inner: bytes(_part(value)).decode() for inner, value in _fields(_part(entry))}
            name = parts.get(1, "")
            if name in said:
                raise ValueError(f"says its {name!r} twice")
            said[name] = parts.get(2, "")
    return said


def check_weights(content: bytes) -> None:
    """Check that all weights are in the file and finite, and that it contains nothing but a plain graph.

    Raises:
        ValueError: a weight is not finite or not in the file, or the file contains more than a plain graph.
    """
    graphs = []
    for number, value in _fields(memoryview(content)):
        if number == _MODEL_FUNCTIONS:
            raise ValueError("has functions, which no exported network has")
        if number == _MODEL_GRAPH:
            graphs.append(_part(value))
    if len(graphs) != 1:
        raise ValueError(f"has {len(graphs)} graphs instead of one")
    for tensor in _tensors(graphs[0]):
        _check_tensor(tensor)


def _tensors(graph: memoryview) -> Iterator[memoryview]:
    """Every tensor of a graph: its weights, and the constants of its nodes."""
    for number, value in _fields(graph):
        if number == _GRAPH_SPARSE:
            raise ValueError("has sparse weights, which no exported network has")
        if number == _GRAPH_INITIALIZER:
            yield _part(value)
        if number == _GRAPH_NODE:
            for inner, attribute in _fields(_part(value)):
                if inner == _NODE_ATTRIBUTE:
                    yield from _tensors_of_attribute(_part(attribute))


def _tensors_of_attribute(attribute: memoryview) -> Iterator[memoryview]:
    for number, value in _fields(attribute):
        if number in (*_ATTRIBUTE_GRAPHS, *_ATTRIBUTE_SPARSE):
            raise ValueError("has a graph or sparse weights inside of a node, which no exported network has")
        if number in (_ATTRIBUTE_TENSOR, _ATTRIBUTE_TENSORS):
            yield _part(value)


def _check_tensor(tensor: memoryview) -> None:
    """Raise ValueError if numbers of a tensor are not finite, or are stored in another file."""
    fields = list(_fields(tensor))
    kind = next((value for number, value in fields if number == _TENSOR_TYPE), None)
    for number, value in fields:
        if number in _TENSOR_ELSEWHERE and value != 0:
            raise ValueError("keeps weights in another file")
        dtype = {_TENSOR_FLOATS: "<f4", _TENSOR_DOUBLES: "<f8"}.get(number)
        if number == _TENSOR_RAW and isinstance(kind, int):
            dtype = _FLOATS.get(kind)
        if dtype and not np.isfinite(np.frombuffer(_part(value), dtype)).all():
            raise ValueError("holds numbers that are not finite")


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The number and the value of each field of a protobuf message.

    Raises:
        ValueError: the message is invalid.
    """
    at = 0
    while at < len(message):
        key, at = _number(message, at)
        wire = key & 7
        if wire == _NUMBER:
            value, at = _number(message, at)
            yield key >> 3, value
            continue
        if wire == _BYTES:
            size, at = _number(message, at)
        elif wire in (_FOUR_BYTES, _EIGHT_BYTES):
            size = 4 if wire == _FOUR_BYTES else 8
        else:
            raise ValueError("is damaged or no ONNX file")
        if size > len(message) - at:
            raise ValueError("is damaged or no ONNX file: it ends early")
        yield key >> 3, message[at : at + size]
        at += size


def _number(message: memoryview, at: int) -> tuple[int, int]:
    """Read a number of one to ten bytes, seven bits in each, the lowest first. Returns the number and where it ends."""
    value = 0
    for place in range(10):
        if at + place >= len(message):
            break
        value |= (message[at + place] & 0x7F) << 7 * place
        if message[at + place] < 0x80:
            return value, at + place + 1
    raise ValueError("is damaged or no ONNX file")


def _part(value: int | memoryview) -> memoryview:
    """The bytes of a field.

    Raises:
        ValueError: the field holds a number.
    """
    if isinstance(value, int):
        raise ValueError("is damaged or no ONNX file")
    return value
