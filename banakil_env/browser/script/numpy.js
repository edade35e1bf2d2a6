// Records and arrays of NumPy, as the translated functions use them: views of the bytes of a state, and small tables.

import { Instance, Slice, T, Tuple, described, fault, iter, keyOf, norm, t } from "./python.js";

// Types of numbers ------------------------------------------------------------------------------------------------------

class NumberType {
  constructor(name, itemsize, read, write) {
    Object.assign(this, { name, itemsize, read, write });
  }

  /** The type of a field of a record. */
  getItem(name) {
    return this.fields.get(name).type;
  }
}

function whole(name, size, method) {
  const big = size === 8;
  const low = (value) => (big ? BigInt(value) : Number(BigInt.asIntN(8 * size, BigInt(value))));
  return new NumberType(name, size,
    (view, at) => (big ? norm(view[`get${method}`](at, true)) : view[`get${method}`](at, true)),
    (view, at, value) => view[`set${method}`](at, low(value), true));
}

export const types = {
  uint8: whole("uint8", 1, "Uint8"),
  int8: whole("int8", 1, "Int8"),
  uint16: whole("uint16", 2, "Uint16"),
  int16: whole("int16", 2, "Int16"),
  uint32: whole("uint32", 4, "Uint32"),
  int32: whole("int32", 4, "Int32"),
  uint64: whole("uint64", 8, "BigUint64"),
  int64: whole("int64", 8, "BigInt64"),
  float32: new NumberType("float32", 4, (view, at) => view.getFloat32(at, true), (view, at, value) => view.setFloat32(at, Number(value), true)),
  float64: new NumberType("float64", 8, (view, at) => view.getFloat64(at, true), (view, at, value) => view.setFloat64(at, Number(value), true)),
  bool: new NumberType("bool", 1, (view, at) => view.getUint8(at) !== 0, (view, at, value) => view.setUint8(at, t(value) ? 1 : 0)),
};

/** Several numbers of a type, or records, in a field. */
export function cells(base, shape) {
  return { base, shape, itemsize: base.itemsize * shape.reduce((a, b) => a * b, 1) };
}

export function recordType(itemsize, fields) {
  const made = new NumberType("record", itemsize,
    (view, at) => new Record(made, view, at),
    (view, at, value) => new Uint8Array(view.buffer, view.byteOffset + at, itemsize).set(value.bytes()));
  made.fields = new Map(fields.map(([name, type, offset]) => [name, { type, offset }]));
  return made;
}

// Records -----------------------------------------------------------------------------------------------------------------

export class Record {
  constructor(dtype, view, offset) {
    Object.assign(this, { dtype, view, offset });
  }

  field(name) {
    const found = this.dtype.fields.get(name);
    if (!found) throw fault("AttributeError", `there is no field ${name}`);
    return found;
  }

  getField(name) {
    const { type, offset } = this.field(name);
    if (type.base) return new Cells(type.base, type.shape, this.view, this.offset + offset);
    return type.read(this.view, this.offset + offset);
  }

  setField(name, value) {
    const { type, offset } = this.field(name);
    if (type.base) new Cells(type.base, type.shape, this.view, this.offset + offset).fill(value);
    else type.write(this.view, this.offset + offset, value);
  }

  getItem(name) {
    return this.getField(name);
  }

  setItem(name, value) {
    this.setField(name, value);
  }

  bytes() {
    return new Uint8Array(this.view.buffer, this.view.byteOffset + this.offset, this.dtype.itemsize).slice();
  }
}

// Arrays --------------------------------------------------------------------------------------------------------------------

/** An array over bytes. */
export class Cells {
  constructor(dtype, shape, view, offset, strides = null) {
    Object.assign(this, { dtype, shape, view, offset });
    this.strides = strides ?? shape.map((_, axis) => dtype.itemsize * shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  }

  static empty(dtype, shape) {
    const size = dtype.itemsize * shape.reduce((a, b) => a * b, 1);
    return new Cells(dtype, shape, new DataView(new ArrayBuffer(size)), 0);
  }

  static of(values, shape, dtype) {
    const made = Cells.empty(dtype, shape);
    values.forEach((value, k) => dtype.write(made.view, k * dtype.itemsize, value));
    return made;
  }

  static like(dtype, shape, bytes) {
    return new Cells(dtype, shape, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
  }

  get size() {
    return this.shape.reduce((a, b) => a * b, 1);
  }

  countRows() {
    return this.shape[0];
  }

  /** The places of all numbers, in order. */
  * places(axis = 0, at = this.offset) {
    if (axis === this.shape.length) yield at;
    else for (let k = 0; k < this.shape[axis]; k++) yield* this.places(axis + 1, at + k * this.strides[axis]);
  }

  flat() {
    return [...this.places()].map((at) => this.dtype.read(this.view, at));
  }

  * [Symbol.iterator]() {
    for (let k = 0; k < this.shape[0]; k++) yield this.row(k);
  }

  row(k) {
    const at = this.offset + k * this.strides[0];
    return this.shape.length === 1 ? this.dtype.read(this.view, at) : new Cells(this.dtype, this.shape.slice(1), this.view, at, this.strides.slice(1));
  }

  /** The part of the array that a key means, as an array. */
  part(key) {
    const keys = key instanceof Tuple ? [...key] : [key];
    let offset = this.offset;
    const shape = [];
    const strides = [];
    keys.forEach((each, axis) => {
      const length = this.shape[axis];
      if (each instanceof Slice) {
        const step = each.step === null ? 1 : Number(each.step);
        const found = each.places(length);
        offset += (found[0] ?? 0) * this.strides[axis];
        shape.push(found.length);
        strides.push(step * this.strides[axis]);
      } else {
        const place = Number(each) < 0 ? Number(each) + length : Number(each);
        if (!(place >= 0 && place < length)) throw fault("IndexError", `index ${described(each)} ${each} is out of range`);
        offset += place * this.strides[axis];
      }
    });
    return new Cells(this.dtype, [...shape, ...this.shape.slice(keys.length)], this.view, offset, [...strides, ...this.strides.slice(keys.length)]);
  }

  getItem(key) {
    if (typeof key === "string") return this.columns(key);
    if (key instanceof Cells && key.dtype === types.bool) {
      const kept = key.flat();
      const values = this.flat().filter((_, k) => kept[k]);
      return Cells.of(values, [values.length], this.dtype);
    }
    if (key instanceof Cells || key instanceof Array && !(key instanceof Tuple)) {
      const values = [...key].map((each) => this.getItem(each));
      return Cells.of(values, [values.length], this.dtype);
    }
    const found = this.part(key);
    return found.shape.length ? found : this.dtype.read(this.view, found.offset);
  }

  setItem(key, value) {
    if (typeof key === "string") this.columns(key).fill(value);
    else if (key instanceof Cells || key instanceof Array && !(key instanceof Tuple)) for (const each of key) this.setItem(each, value);
    else this.part(key).fill(value);
  }

  /** A field of every record of an array. */
  columns(name) {
    const { type, offset } = this.dtype.fields.get(name);
    const inner = type.base ? cellsOf(type) : { base: type, shape: [], strides: [] };
    return new Cells(inner.base, [...this.shape, ...inner.shape], this.view, this.offset + offset, [...this.strides, ...inner.strides]);
  }

  fill(value) {
    const given = value instanceof Cells ? value.flat() : value instanceof Array ? value.flat(Infinity) : null;
    let k = 0;
    for (const at of this.places()) this.dtype.write(this.view, at, given ? given[given.length === 1 ? 0 : k++] : value);
  }

  truth() {
    if (this.size !== 1) throw fault("ValueError", "the truth of an array with several numbers is not defined");
    return t(this.flat()[0]);
  }

  /** The result of an operation for each number, with a number or with an array that fits. */
  each(other, operation) {
    const rows = other instanceof Array ? Cells.of(other, [other.length], types.int64) : other;
    const values = this.flat();
    let results;
    if (rows instanceof Cells && rows.size !== 1) {
      const others = rows.flat();
      results = values.map((value, k) => operation(value, others[k % others.length]));
    } else results = values.map((value) => operation(value, rows instanceof Cells ? rows.flat()[0] : rows));
    const dtype = typeof results[0] === "boolean" ? types.bool : results.some((each) => !Number.isInteger(Number(each))) ? types.float64 : types.int64;
    return Cells.of(results, this.shape, dtype);
  }

  /** `array += other` changes the array. */
  changed(other, operation) {
    this.fill(this.each(other, operation));
    return this;
  }

  bytes() {
    const made = new Uint8Array(this.size * this.dtype.itemsize);
    let to = 0;
    for (const at of this.places()) {
      made.set(new Uint8Array(this.view.buffer, this.view.byteOffset + at, this.dtype.itemsize), to);
      to += this.dtype.itemsize;
    }
    return made;
  }

  copy() {
    return Cells.like(this.dtype, this.shape, this.bytes());
  }

  lists() {
    return this.shape.length === 1 ? this.flat() : Array.from({ length: this.shape[0] }, (_, k) => this.row(k).lists());
  }

  nonzero() {
    const found = this.shape.map(() => []);
    this.flat().forEach((value, k) => {
      if (!t(value)) return;
      let rest = k;
      for (let axis = this.shape.length - 1; axis >= 0; axis--) {
        found[axis].push(rest % this.shape[axis]);
        rest = Math.floor(rest / this.shape[axis]);
      }
    });
    return T(...found.map((each) => Cells.of(each, [each.length], types.int64)));
  }
}

function cellsOf({ base, shape }) {
  return { base, shape, strides: shape.map((_, axis) => base.itemsize * shape.slice(axis + 1).reduce((a, b) => a * b, 1)) };
}

export function array(values, shape, dtype) {
  return Cells.of(values, shape, dtype);
}

/** What `np.asarray` and `np.array` give. */
export function asarray(value, dtype = null) {
  if (value instanceof Record) return new Cells(value.dtype, [], value.view, value.offset);
  if (value instanceof Cells) return value;
  if (value instanceof Array || value instanceof Instance || value?.[Symbol.iterator] && typeof value !== "string") {
    const items = [...iter(value)];
    const inner = items[0] instanceof Array ? items[0].length : 0;
    const flat = inner ? items.flat() : items;
    const kind = dtype ?? (flat.every((each) => typeof each === "boolean") && flat.length ? types.bool : flat.some((each) => !Number.isInteger(Number(each))) ? types.float64 : types.int64);
    return Cells.of(flat, inner ? [items.length, inner] : [items.length], kind);
  }
  return Cells.of([value], [], dtype ?? types.int64);
}

export function shapeOf(value) {
  return typeof value === "number" || typeof value === "bigint" ? [Number(value)] : [...iter(value)].map(Number);
}

/** Records by their content. */
export function sameBytes(one, other) {
  return keyOf([...one]) === keyOf([...other]);
}
