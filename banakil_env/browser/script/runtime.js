// The functions of Python's own library and of NumPy that translated functions call, and the attributes of its types.

import { Counted, Dict, Instance, PySet, Range, T, Tuple, add, attributes, at, call, contains, described, eq, exceptions, fault, get, getattr, hasattr, isinstance, item, iter, keyOf, len, mod, norm, order, pairs, range, slice, t } from "./python.js";
import { and, bind, both, catches, classmethod, cls, define, div, either, entries, fields, floordiv, ge, gt, held, hook, iadd, instance, invert, ior, isub, later, le, lshift, lt, m, mul, namespace, ne, neg, or, partial, pos, pow, property, put, raised, remove, rshift, sig, staticmethod, store, sub, sup, unpack, xor } from "./python.js";
import { Cells, Record, array, asarray, cells, recordType, shapeOf, types } from "./numpy.js";

// Texts -----------------------------------------------------------------------------------------------------------------

export function str(value) {
  switch (typeof value) {
    case "string": return value;
    case "boolean": return value ? "True" : "False";
    case "number": case "bigint": return String(value);
    default:
  }
  if (value === null) return "None";
  if (value instanceof Instance && value.d.args) return value.d.args.length === 1 ? str(value.d.args[0]) : repr(value.d.args);
  if (hasattr(value, "__str__")) return call(get(value, "__str__"), []);
  return repr(value);
}

export function repr(value) {
  if (typeof value === "string") {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    return quote + value.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replaceAll(quote, quote === "'" ? "\\'" : '"') + quote;
  }
  if (value instanceof Tuple) return value.length === 1 ? `(${repr(value[0])},)` : `(${value.map((each) => repr(each)).join(", ")})`;
  if (value instanceof Array) return `[${value.map((each) => repr(each)).join(", ")}]`;
  if (value instanceof Dict) return `{${value.pairs().map(([key, each]) => `${repr(key)}: ${repr(each)}`).join(", ")}}`;
  if (value === null || ["number", "bigint", "boolean"].includes(typeof value)) return str(value);
  return `<${described(value)}>`;
}

const SPEC = /^(?:(.)?([<>^]))?([+ ])?(0)?(\d+)?(,)?(?:\.(\d+))?([dgfsx%])?$/;

/** A value in an f-string. */
export function fmt(value, spec, how) {
  const given = how === "r" ? repr(value) : how === "s" ? str(value) : value;
  if (!spec) return str(given);
  const found = SPEC.exec(spec);
  if (!found) throw new TypeError(`the format ${spec} is not known here`);
  const [, filler = " ", side, sign, zeros, width = "0", commas, digits, kind] = found;
  let text;
  if (typeof given === "string") text = digits === undefined ? given : [...given].slice(0, Number(digits)).join("");
  else if (kind === "g") text = general(Number(given), Number(digits ?? 6));
  else if (kind === "f" || kind === "%") text = (Number(given) * (kind === "%" ? 100 : 1)).toFixed(Number(digits ?? 6)) + (kind === "%" ? "%" : "");
  else if (kind === "x") text = given.toString(16);
  else text = str(given);
  if (commas) text = text.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  if (sign === "+" && Number(given) >= 0) text = `+${text}`;
  const missing = Math.max(0, Number(width) - text.length);
  const towards = side ?? (typeof given === "string" ? "<" : ">");
  const fill = zeros ? "0" : filler;
  if (towards === "<") return text + fill.repeat(missing);
  if (towards === "^") return fill.repeat(Math.floor(missing / 2)) + text + fill.repeat(Math.ceil(missing / 2));
  return fill.repeat(missing) + text;
}

function general(value, digits) {
  const text = value.toPrecision(digits);
  return text.includes("e") ? String(Number(text)) : text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

const cut = (text, start, end) => (start === undefined ? text : text.slice(start, end));

const ofText = {
  join: (text, parts) => [...iter(parts)].join(text),
  split: (text, by = null, most = -1) => {
    const parts = by === null ? text.trim().split(/\s+/).filter((each) => each !== "") : text.split(by);
    return most < 0 || parts.length <= most ? parts : [...parts.slice(0, most), parts.slice(most).join(by ?? " ")];
  },
  rsplit: (text, by, most) => {
    const parts = text.split(by);
    return parts.length <= most + 1 ? parts : [parts.slice(0, -most).join(by), ...parts.slice(-most)];
  },
  splitlines: (text) => (text === "" ? [] : text.replace(/\n$/, "").split("\n")),
  partition: (text, by) => {
    const place = text.indexOf(by);
    return place < 0 ? T(text, "", "") : T(text.slice(0, place), by, text.slice(place + by.length));
  },
  rpartition: (text, by) => {
    const place = text.lastIndexOf(by);
    return place < 0 ? T("", "", text) : T(text.slice(0, place), by, text.slice(place + by.length));
  },
  strip: (text, of) => stripped(text, of, true, true),
  lstrip: (text, of) => stripped(text, of, true, false),
  rstrip: (text, of) => stripped(text, of, false, true),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
  startswith: (text, start) => (start instanceof Array ? start.some((each) => text.startsWith(each)) : text.startsWith(start)),
  endswith: (text, end) => (end instanceof Array ? end.some((each) => text.endsWith(each)) : text.endsWith(end)),
  removeprefix: (text, start) => (text.startsWith(start) ? text.slice(start.length) : text),
  removesuffix: (text, end) => (end && text.endsWith(end) ? text.slice(0, -end.length) : text),
  replace: (text, one, other, most = -1) => {
    if (most < 0) return text.replaceAll(one, () => other);
    const parts = text.split(one);
    return parts.slice(0, most + 1).join(other) + parts.slice(most + 1).map((each) => one + each).join("");
  },
  translate: (text, table) => [...text].map((letter) => table.get(letter.codePointAt(0), letter)).map((each) => (typeof each === "string" ? each : each === null ? "" : String.fromCodePoint(each))).join(""),
  count: (text, part) => text.split(part).length - 1,
  find: (text, part) => text.indexOf(part),
  index: (text, part) => {
    if (!text.includes(part)) throw fault("ValueError", "substring not found");
    return text.indexOf(part);
  },
  isdigit: (text) => /^\d+$/.test(text),
  isdecimal: (text) => /^\d+$/.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  isascii: (text) => /^[\0-\x7f]*$/.test(text), // eslint-disable-line no-control-regex
  isprintable: (text) => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text),
  format: (text, ...args) => {
    const names = args.at(-1) && Object.getPrototypeOf(args.at(-1)) === Object.prototype ? args.pop() : {};
    let place = 0;
    return text.replace(/\{(\w*)(?::([^}]*))?\}/g, (_, name, spec) => {
      const value = name === "" ? args[place++] : /^\d+$/.test(name) ? args[Number(name)] : names[name];
      return fmt(value, spec ?? "", "");
    });
  },
  title: (text) => text.replace(/\p{L}+/gu, (word) => word[0].toUpperCase() + word.slice(1).toLowerCase()),
  encode: (text) => new Bytes(new TextEncoder().encode(text)),
  ljust: (text, width) => text.padEnd(width),
  rjust: (text, width) => text.padStart(width),
};

function stripped(text, of, first, last) {
  const letters = of ?? " \t\n\r\f\v";
  let [start, end] = [0, text.length];
  while (first && start < end && letters.includes(text[start])) start++;
  while (last && end > start && letters.includes(text[end - 1])) end--;
  return text.slice(start, end);
}

// Patterns ----------------------------------------------------------------------------------------------------------------

/** A regular expression of Python; 8 is MULTILINE, 2 IGNORECASE. */
export function pattern(text, flags) {
  const source = text.replaceAll("(?P<", "(?<").replaceAll("\\Z", "$(?![^])").replaceAll("\\A", "^");
  return { source, letters: (flags & 8 ? "m" : "") + (flags & 2 ? "i" : ""), isPattern: true };
}

const regex = (given, letters = "") => {
  const made = typeof given === "string" ? pattern(given, 0) : given;
  return new RegExp(made.source, `u${made.letters}${letters}`);
};

const matched = (found) => found && { isMatch: true, groups: found, getItem: (number) => found[number] ?? null };

const ofPattern = {
  search: (given, text) => matched(regex(given).exec(text)),
  match: (given, text) => matched(regex(given, "y").exec(text)),
  fullmatch: (given, text) => matched(new RegExp(`^(?:${regex(given).source})$`, `u${given.letters ?? ""}`).exec(text)),
  findall: (given, text) => [...text.matchAll(regex(given, "g"))].map((found) => (found.length === 1 ? found[0] : found.length === 2 ? found[1] ?? "" : T(...found.slice(1)))),
  finditer: (given, text) => [...text.matchAll(regex(given, "g"))].map(matched),
  split: (given, text) => text.split(regex(given)),
  sub: (given, by, text) => text.replace(regex(given, "g"), (...found) => (typeof by === "string"
    ? by.replace(/\\(\d)/g, (_, number) => found[Number(number)] ?? "")
    : call(by, [matched(found.slice(0, found.findIndex((each) => typeof each === "number")))]))),
};

// Attributes of the types ---------------------------------------------------------------------------------------------------

const bigBits = (value) => {
  const text = (BigInt(value) < 0n ? -BigInt(value) : BigInt(value)).toString(2);
  return text === "0" ? "" : text;
};

attributes((value) => typeof value === "string", ofText);
attributes((value) => ["number", "bigint", "boolean"].includes(typeof value), {
  bit_count: (value) => bigBits(value).replaceAll("0", "").length,
  bit_length: (value) => bigBits(value).length,
  __index__: (value) => value,
  item: (value) => value,
  tolist: (value) => value,
  any: (value) => t(value),
  is_integer: (value) => Number.isInteger(Number(value)),
  shape: { get: () => T() },
});
attributes((value) => value instanceof Counted, {
  elements: (value) => value.elements(),
  update: (value, given) => value.add(given),
  subtract: (value, given) => value.add(given, -1),
  total: (value) => [...value.pairs()].reduce((sum, [, count]) => add(sum, count), 0),
  most_common: (value, most) => cut(sorted({ key: ([, count]) => -count }, value.pairs().map(([key, count]) => T(key, count))), 0, most),
  copy: (value) => value.with(new Counted(), (count) => count),
  get: (value, key, other = null) => value.get(key, other),
  items: (value) => value.pairs().map(([key, each]) => T(key, each)),
  keys: (value) => [...value],
  values: (value) => value.pairs().map(([, each]) => each),
});
attributes((value) => value instanceof Dict, {
  get: (value, key, other = null) => value.get(key, other),
  items: (value) => value.pairs().map(([key, each]) => T(key, each)),
  keys: (value) => new PySet(value),
  values: (value) => value.pairs().map(([, each]) => each),
  pop: (value, key, other) => {
    if (!value.has(key)) {
      if (other === undefined) throw fault("KeyError", key);
      return other;
    }
    const found = value.get(key);
    value.delete(key);
    return found;
  },
  setdefault: (value, key, other = null) => {
    if (!value.has(key)) value.set(key, other);
    return value.get(key);
  },
  update: (value, other) => pairs(other).forEach(([key, each]) => value.set(key, each)),
  copy: (value) => new Dict(value.pairs()),
});
attributes((value) => value instanceof PySet, {
  add: (value, each) => value.add(each),
  discard: (value, each) => value.delete(each),
  remove: (value, each) => value.delete(each),
  update: (value, ...others) => others.forEach((other) => [...iter(other)].forEach((each) => value.add(each))),
  issubset: (value, other) => [...value].every((each) => contains(other, each)),
  intersection: (value, other) => new PySet([...value].filter((each) => contains(other, each))),
  union: (value, other) => new PySet([...value, ...iter(other)]),
  difference: (value, other) => new PySet([...value].filter((each) => !contains(other, each))),
});
attributes((value) => value instanceof Array, {
  append: (value, each) => { value.push(each); },
  extend: (value, more) => { value.push(...iter(more)); },
  insert: (value, place, each) => { value.splice(place, 0, each); },
  pop: (value, place = -1) => value.splice(at(value, place), 1)[0],
  remove: (value, each) => { value.splice(ofList.index(value, each), 1); },
  index: (value, each) => ofList.index(value, each),
  count: (value, each) => value.filter((other) => t(eq(each, other))).length,
  sort: (value, names = {}) => { value.splice(0, value.length, ...sorted(names, value)); },
  reverse: (value) => { value.reverse(); },
  copy: (value) => [...value],
  clear: (value) => { value.length = 0; },
});
attributes((value) => value instanceof Range, {
  index: (value, each) => ofList.index([...value], each),
  start: { get: (value) => value.start },
  stop: { get: (value) => value.stop },
});

const ofList = {
  index: (value, each) => {
    const place = value.findIndex((other) => t(eq(each, other)));
    if (place < 0) throw fault("ValueError", `${repr(each)} is not in the list`);
    return place;
  },
};

const ofDtype = {
  names: { get: (dtype) => (dtype.fields ? T(...dtype.fields.keys()) : null) },
  itemsize: { get: (dtype) => dtype.itemsize },
  fields: { get: (dtype) => (dtype.fields ? new Dict([...dtype.fields].map(([name, { type, offset }]) => [name, T(type, offset)])) : null) },
  shape: { get: (dtype) => T(...(dtype.shape ?? [])) },
  base: { get: (dtype) => dtype.base ?? dtype },
};
attributes((value) => value?.itemsize !== undefined && !(value instanceof Cells), ofDtype);
attributes((value) => value instanceof Record, {
  dtype: { get: (value) => value.dtype },
  tobytes: (value) => new Bytes(value.bytes()),
  copy: (value) => Cells.like(value.dtype, [1], value.bytes()).row(0),
  other: (value, name) => value.getField(name),
});
attributes((value) => value instanceof Cells, {
  dtype: { get: (value) => value.dtype },
  shape: { get: (value) => T(...value.shape) },
  size: { get: (value) => value.size },
  ndim: { get: (value) => value.shape.length },
  flags: { get: () => namespace({ writeable: true }) },
  any: (value) => value.flat().some(t),
  all: (value) => value.flat().every(t),
  sum: (value) => value.flat().map((each) => (typeof each === "boolean" ? Number(each) : each)).reduce((a, b) => add(a, b), 0),
  max: (value) => value.flat().reduce((a, b) => (order(a, b) < 0 ? b : a)),
  min: (value) => value.flat().reduce((a, b) => (order(a, b) > 0 ? b : a)),
  tolist: (value) => value.lists(),
  copy: (value) => value.copy(),
  tobytes: (value) => new Bytes(value.bytes()),
  nonzero: (value) => value.nonzero(),
  ravel: (value) => new Cells(value.dtype, [value.size], value.copy().view, 0),
  item: (value) => value.flat()[0],
  argmax: (value) => value.flat().reduce((best, each, k, all) => (order(each, all[best]) > 0 ? k : best), 0),
  astype: (value, dtype) => Cells.of(value.flat(), value.shape, typeOf(dtype)),
  reshape: (value, ...shape) => {
    const wanted = shape.length === 1 ? shapeOf(shape[0]) : shape.map(Number);
    const known = wanted.filter((each) => each >= 0).reduce((a, b) => a * b, 1);
    return new Cells(value.dtype, wanted.map((each) => (each < 0 ? value.size / known : each)), value.view, value.offset);
  },
  view: (value, given, dtype = typeOf(given)) => (dtype === value.dtype || dtype.itemsize === value.dtype.itemsize
    ? new Cells(dtype, value.shape, value.view, value.offset, value.strides)
    : new Cells(dtype, [...value.shape.slice(0, -1), (value.shape.at(-1) ?? 1) * value.dtype.itemsize / dtype.itemsize], value.view, value.offset)),
});

/** Bytes, equal by their content. */
export class Bytes {
  constructor(content) {
    this.content = content;
  }
}
attributes((value) => value instanceof Bytes, { hex: (value) => [...value.content].map((each) => each.toString(16).padStart(2, "0")).join("") });
attributes((value) => value?.isMatch, {
  group: (value, number = 0) => value.groups[number] ?? null,
  groups: (value) => T(...value.groups.slice(1).map((each) => each ?? null)),
  start: (value) => value.groups.index,
  end: (value) => value.groups.index + value.groups[0].length,
});
attributes((value) => value?.isPattern, ofPattern);

// Functions -------------------------------------------------------------------------------------------------------------------

/** A function that takes names of arguments: they come first, as an object. */
function taking(f) {
  f.takes = true;
  const made = (...args) => f({}, ...args);
  made.forward = (args, keywords) => f(Object.fromEntries(keywords), ...args);
  return made;
}

function sorted({ key = null, reverse = false }, items) {
  const keyed = [...iter(items)].map((each, place) => ({ each, place, key: key === null ? each : call(key, [each]) }));
  const sign = t(reverse) ? -1 : 1;
  keyed.sort((one, other) => sign * order(one.key, other.key) || one.place - other.place);
  return keyed.map(({ each }) => each);
}

function extreme(sign) {
  return taking(({ key = null, default: otherwise }, ...args) => {
    const items = args.length === 1 ? [...iter(args[0])] : args;
    if (!items.length) {
      if (otherwise === undefined) throw fault("ValueError", "nothing to compare");
      return otherwise;
    }
    const of = (each) => (key === null ? each : call(key, [each]));
    return items.reduce((best, each) => (sign * order(of(each), of(best)) > 0 ? each : best));
  });
}

function kind(accepts, f) {
  return Object.assign((...args) => f(...args), { accepts });
}

const isInt = (value) => typeof value === "bigint" || typeof value === "boolean" || typeof value === "number" && Number.isInteger(value);

function float(value = 0) {
  if (typeof value !== "string") return Number(value);
  const text = value.trim().toLowerCase();
  if (/^[+-]?inf(inity)?$/.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  const found = text === "nan" ? NaN : Number(text || "x");
  if (Number.isNaN(found) && text !== "nan") throw fault("ValueError", `could not convert string to float: ${repr(value)}`);
  return found;
}

function int(value = 0, base = 10) {
  if (typeof value === "string") {
    const text = value.trim().replace(/_/g, "");
    if (!/^[+-]?[0-9a-z]+$/i.test(text) || Number.isNaN(parseInt(text, base))) throw fault("ValueError", `invalid literal for int(): ${repr(value)}`);
    return base === 10 ? norm(BigInt(text.replace("+", ""))) : parseInt(text, base);
  }
  if (value instanceof Cells) return int(value.flat()[0]);
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "bigint") return norm(value);
  if (typeof value === "number") return Math.trunc(value);
  throw fault("TypeError", `int() of ${described(value)}`);
}

const typeOf = (given) => given?.dtype ?? given;

const np = {
  asarray: taking(({ dtype = null }, value, type = dtype) => asarray(value, typeOf(type))),
  array: taking(({ dtype = null }, value, type = dtype) => (value instanceof Cells ? value.copy() : asarray(value, typeOf(type)))),
  zeros: taking(({ dtype = types.float64 }, shape, type = dtype) => Cells.empty(typeOf(type), shapeOf(shape))),
  empty: taking(({ dtype = types.float64 }, shape, type = dtype) => Cells.empty(typeOf(type), shapeOf(shape))),
  flatnonzero: (value) => value.nonzero()[0],
  frombuffer: taking(({ dtype = types.uint8 }, bytes, type = dtype) => Cells.like(type, [bytes.content.length / type.itemsize], bytes.content.slice())),
  count_nonzero: (value) => value.flat().filter(t).length,
  any: (value) => asarray(value).flat().some(t),
  where: (test, one, other) => test.each(null, (each) => (t(each) ? one : other)),
  bincount: taking(({ minlength = 0 }, values) => {
    const counts = Array.from({ length: Math.max(minlength, ...[...values].map((each) => Number(each) + 1)) }, () => 0);
    for (const each of values) counts[each]++;
    return Cells.of(counts, [counts.length], types.int64);
  }),
  ndim: (value) => (value instanceof Cells ? value.shape.length : 0),
};

const builtins = {
  len, range, iter, isinstance, str: kind((value) => typeof value === "string", (value = "") => str(value)), repr,
  int: kind(isInt, int),
  bool: kind((value) => typeof value === "boolean", (value = false) => t(value)),
  float: kind((value) => typeof value === "number" && !Number.isInteger(value), float),
  list: kind((value) => value instanceof Array && !(value instanceof Tuple), (items = []) => [...iter(items)]),
  tuple: kind((value) => value instanceof Tuple, (items = []) => T(...iter(items))),
  dict: kind((value) => value instanceof Dict, (items = []) => new Dict(pairs(items).map(([key, value]) => [key, value]))),
  set: kind((value) => value instanceof PySet, (items = []) => new PySet(iter(items))),
  sorted: taking((names, items) => sorted(names, items)),
  min: extreme(-1),
  max: extreme(1),
  sum: (items, start = 0) => [...iter(items)].reduce((total, each) => add(total, typeof each === "boolean" ? Number(each) : each), start),
  any: (items) => {
    for (const each of iter(items)) if (t(each)) return true;
    return false;
  },
  all: (items) => {
    for (const each of iter(items)) if (!t(each)) return false;
    return true;
  },
  enumerate: taking(({ start = 0 }, items, first = start) => [...iter(items)].map((each, place) => T(place + first, each))),
  zip: taking((_, ...lists) => {
    const made = lists.map((each) => [...iter(each)]);
    const length = Math.min(...made.map((each) => each.length));
    return Array.from({ length: made.length ? length : 0 }, (_each, k) => T(...made.map((each) => each[k])));
  }),
  map: (f, ...lists) => builtins.zip(...lists).map((each) => call(f, [...each])),
  filter: (f, items) => [...iter(items)].filter((each) => t(f === null ? each : call(f, [each]))),
  reversed: (items) => [...iter(items)].reverse(),
  next: (items, other) => {
    const { value, done } = items[Symbol.iterator] && !items.next ? items[Symbol.iterator]().next() : items.next();
    if (!done) return value;
    if (other === undefined) throw fault("StopIteration", "");
    return other;
  },
  abs: (value) => (value < 0 ? -value : value),
  round: (value, digits = 0) => Math.round(value * 10 ** digits) / 10 ** digits,
  divmod: (one, other) => T(floordiv(one, other), mod(one, other)),
  getattr, hasattr,
  setattr: put,
  type: (value) => (value instanceof Instance ? value.cls : fault("TypeError", "type of a plain value")),
  ord: (text) => text.codePointAt(0),
  chr: (code) => String.fromCodePoint(code),
  callable: (value) => typeof value === "function",
};

const library = {
  interpreted: (f) => f,
  cast: (_, value) => value,
  wide: Object.assign((value) => int(value), { dtype: types.int64 }),
  replace: taking((names, value) => {
    const made = instance(value.cls);
    Object.assign(made.d, value.d, names);
    return made;
  }),
  counter: kind((value) => value instanceof Counted, (given = null) => Counted.of(given)),
  fromkeys: (keys, value = null) => new Dict([...new PySet(iter(keys))].map((key) => [key, value])),
  groupby: (items, key = null) => {
    const groups = [];
    for (const each of iter(items)) {
      const found = key === null ? each : call(key, [each]);
      if (groups.length && t(eq(groups.at(-1)[0], found))) groups.at(-1)[1].push(each);
      else groups.push(T(found, [each]));
    }
    return groups;
  },
  chain: (...lists) => lists.flatMap((each) => [...iter(each)]),
  flattened: (lists) => [...iter(lists)].flatMap((each) => [...iter(each)]),
  islice: (items, ...ends) => item([...iter(items)], ends.length === 1 ? slice(null, ends[0], null) : slice(ends[0], ends[1], ends[2] ?? null)),
  accumulate: (items) => {
    const sums = [];
    for (const each of iter(items)) sums.push(sums.length ? add(sums.at(-1), each) : each);
    return sums;
  },
  combinations: (items, size) => combinations([...iter(items)], size),
  pairwise: (items) => [...iter(items)].slice(1).map((each, k, all) => T(k === 0 ? [...iter(items)][0] : all[k - 1], each)),
  index: (value) => {
    if (!isInt(value)) throw fault("TypeError", "not a whole number");
    return int(value);
  },
  itemgetter: (...keys) => (value) => (keys.length === 1 ? item(value, keys[0]) : T(...keys.map((key) => item(value, key)))),
  attrgetter: (name) => (value) => get(value, name),
  read_numbers: (record, names) => [...names].map((name) => {
    const value = record.getField(name);
    return value instanceof Cells ? T(...value.flat()) : typeof value === "boolean" ? Number(value) : value;
  }),
  search: (given, text) => ofPattern.search(given, text),
  fullmatch: (given, text) => ofPattern.fullmatch(given, text),
  sub: (given, by, text) => ofPattern.sub(given, by, text),
  resplit: (given, text) => ofPattern.split(given, text),
  findall: (given, text) => ofPattern.findall(given, text),
  fields: (owner) => (owner.isClass ? owner : owner.cls).mro.find((each) => each.fields).fields.map(({ name, standard, metadata }) => namespace({ name, default: standard?.() ?? null, metadata: metadata?.() ?? null })),
  asdict: (value) => new Dict(library.fields(value).map((each) => [each.names.name, value.d[each.names.name]])),
  nearest: () => [],
  nothing: () => null,
  same: (value) => value,
  partial: Object.assign((f, ...args) => partial(f, args, []), { forward: ([f, ...args], keywords) => partial(f, args, keywords) }),
  nothing_like_it: taking(() => ""),
  word: Object.assign((value) => norm(BigInt.asUintN(64, BigInt(value))), { dtype: types.uint64 }),
  randbits: (count) => norm(BigInt.asUintN(Number(count), crypto.getRandomValues(new BigUint64Array(1))[0])),
  record: kind((value) => value instanceof Record),
  ndarray: kind((value) => value instanceof Cells),
  masked: kind(() => false),
  dtype: kind((value) => value?.itemsize !== undefined, (value) => value),
  crc32: (bytes) => {
    let sum = -1;
    for (const each of bytes.content) {
      sum ^= each;
      for (let k = 0; k < 8; k++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return (sum ^ -1) >>> 0;
  },
  mkstr: (from, to) => new Dict([...from].map((letter, k) => [letter.codePointAt(0), [...to][k].codePointAt(0)])),
};

function combinations(items, size) {
  if (size === 0) return [T()];
  return items.flatMap((each, k) => combinations(items.slice(k + 1), size - 1).map((rest) => T(each, ...rest)));
}

/** Everything that a translated program calls by `py.name`. */
export const py = {
  T, add, and, array, attributes, both, bound: bind, c: call, catches, cells, classmethod, cls, define, div, either, entries, eq,
  exceptions, fields, floordiv, fmt, ge, get, gt, held, hook, iadd, in: (key, value) => contains(value, key), instance, invert, ior,
  isub, item, iter, keyOf, kw: call, later, le, lshift, lt, m, mod, mul, namespace, ne, neg, notin: (key, value) => !contains(value, key),
  or, pairs, partial, pattern, pos, pow, property, put, raised, range, recordType, remove, rshift, sig, slice, staticmethod, store, str, sub,
  sup, t, types, unpack, xor, counter: (items) => new Counted(items), dict: (items) => new Dict(items), set: (items) => new PySet(items),
  float: Number, imul: mul, iand: and, ixor: xor, ilshift: lshift, irshift: rshift, ifloordiv: floordiv, imod: mod, idiv: div,
  bytes: (content) => new Bytes(Uint8Array.from(content)), b: builtins, lib: library, np, native: {},
};
