// What Python means, for functions that were translated from Python (`functions.py`): calls, classes, operators.
//
// Numbers are numbers, and BigInts beyond 2^53. Lists are arrays, tuples are `Tuple`. Objects of Python's classes are
// `Instance`. Whatever is not known here throws an error that names it: no page goes on with something half right.

export class Tuple extends Array {}

/** A tuple of these items; `new Tuple(3)` would be three empty places. */
export function T(...items) {
  const made = new Tuple();
  for (const item of items) made.push(item);
  return made;
}

export class Instance {
  constructor(cls) {
    this.cls = cls;
    this.d = {};
  }

  * [Symbol.iterator]() {
    const own = lookup(this.cls, "__iter__");
    if (own) yield* iter(bind(own, this)());
    else if (this.cls.named) for (const { name } of fieldsOf(this.cls)) yield this.d[name];
    else if (lookup(this.cls, "__len__")) for (let at = 0; at < len(this); at++) yield item(this, at);
    else throw new TypeError(`${this.cls.said} is not iterable`);
  }
}

export class Slice {
  constructor(start, stop, step) {
    Object.assign(this, { start, stop, step });
  }

  /** The places of a sequence of this length. */
  places(length) {
    const step = this.step === null ? 1 : Number(this.step);
    const end = (at, low, high) => Math.min(Math.max(at < 0 ? at + length : at, low), high);
    const [first, last] = step > 0
      ? [this.start === null ? 0 : end(Number(this.start), 0, length), this.stop === null ? length : end(Number(this.stop), 0, length)]
      : [this.start === null ? length - 1 : end(Number(this.start), -1, length - 1), this.stop === null ? -1 : end(Number(this.stop), -1, length - 1)];
    const found = [];
    for (let at = first; step > 0 ? at < last : at > last; at += step) found.push(at);
    return found;
  }
}

// Classes -------------------------------------------------------------------------------------------------------------

export const exceptions = {};

export function cls(said, bases) {
  const made = (...args) => make(made, args, []);
  const rest = [...bases.map((base) => [...base.mro]), [...bases]];
  const mro = [made];
  while (rest.some((each) => each.length)) { // C3
    const next = rest.find((each) => each.length && !rest.some((other) => other.slice(1).includes(each[0])))[0];
    mro.push(next);
    for (const each of rest) if (each[0] === next) each.shift();
  }
  Object.assign(made, { said, bases, mro, own: new Map(), isClass: true });
  return made;
}

/** Fields of a data class: [name], [name, default] or [name, null] for one that the constructor does not take. */
export function fields(owner, list, named = false) {
  owner.fields = list.map(([name, standard, metadata]) => ({ name, standard, init: standard !== null, metadata }));
  owner.named = named;
}

function fieldsOf(owner) {
  return owner.mro.find((each) => each.fields)?.fields;
}

export function define(owner, name, value) {
  owner.own.set(name, value);
}

export function property(get, kept = false) {
  return { property: get, kept };
}

export function classmethod(f) {
  return { classmethod: f };
}

export function staticmethod(f) {
  return { staticmethod: f };
}

function lookup(owner, name, after = null) {
  let mro = owner.mro;
  if (after) mro = mro.slice(mro.indexOf(after) + 1);
  for (const each of mro) if (each.own.has(name)) return each.own.get(name);
  return undefined;
}

function make(owner, args, keywords) {
  const made = new Instance(owner);
  const init = lookup(owner, "__init__");
  if (init) call(init, [made, ...args], keywords);
  else if (fieldsOf(owner)) {
    const given = Object.fromEntries(keywords);
    let place = 0;
    for (const { name, standard, init: taken } of fieldsOf(owner)) {
      if (!taken) continue;
      if (place < args.length) made.d[name] = args[place++];
      else if (name in given) made.d[name] = given[name];
      else if (standard) made.d[name] = standard();
      else throw new TypeError(`${owner.said} misses ${name}`);
    }
    const after = lookup(owner, "__post_init__");
    if (after) call(after, [made], []);
  } else made.d.args = T(...args);
  return made;
}

/** An instance that was there when the page was built; its attributes are filled in. */
export function instance(owner) {
  return new Instance(owner);
}

export function isinstance(value, kind) {
  if (kind instanceof Array) return kind.some((each) => isinstance(value, each));
  if (kind.isClass) return value instanceof Instance && value.cls.mro.includes(kind);
  if (kind.accepts) return kind.accepts(value);
  throw new TypeError("isinstance of an unknown kind");
}

for (const [name, base] of [["BaseException", null], ["Exception", "BaseException"], ["ValueError", "Exception"], ["TypeError", "Exception"],
  ["LookupError", "Exception"], ["KeyError", "LookupError"], ["IndexError", "LookupError"], ["AttributeError", "Exception"],
  ["NotImplementedError", "Exception"], ["AssertionError", "Exception"], ["OSError", "Exception"], ["RuntimeError", "Exception"],
  ["ImportError", "Exception"], ["ModuleNotFoundError", "ImportError"], ["StopIteration", "Exception"]]) {
  exceptions[name] = cls(name, base ? [exceptions[base]] : []);
}

export function fault(kind, text) {
  return make(exceptions[kind], [text], []);
}

export function raised(given) {
  return given.isClass ? make(given, [], []) : given;
}

export function catches(caught, kinds) {
  return caught instanceof Instance && (kinds === null || isinstance(caught, kinds));
}

// Functions -----------------------------------------------------------------------------------------------------------

/** Note the parameters of a translated function; `defaults` are functions that give them. */
export function sig(f, shape, defaults) {
  f.shape = { rest: false, more: false, ...shape };
  f.defaults = defaults;
  return f;
}

export function held(value) {
  return () => value;
}

/** Call a function with positional arguments and with pairs of names and values. */
export function call(f, args, keywords = []) {
  if (typeof f !== "function") {
    if (f instanceof Instance && lookup(f.cls, "__call__")) return call(lookup(f.cls, "__call__"), [f, ...args], keywords);
    throw new TypeError(`${f} cannot be called`);
  }
  if (f.isClass) return make(f, args, keywords);
  if (f.forward) return f.forward(args, keywords);
  if (!f.shape) {
    if (!keywords.length) return f(...args);
    if (f.takes) return f(Object.fromEntries(keywords), ...args);
    throw new TypeError(`${f.name} takes no names of arguments`);
  }
  const { names, only = [], rest, more } = f.shape;
  const given = new Map(keywords);
  const taken = names.map((name, place) => {
    if (place < args.length) return args[place];
    return named(f, given, name);
  });
  if (args.length > names.length && !rest) throw new TypeError(`${f.name} takes ${names.length} arguments, not ${args.length}`);
  for (const name of only) taken.push(named(f, given, name));
  if (rest) taken.push(T(...args.slice(names.length)));
  if (more) taken.push(new Dict([...given]));
  else if (given.size) throw new TypeError(`${f.name} has no argument ${[...given.keys()]}`);
  return f(...taken);
}

function named(f, given, name) {
  if (given.has(name)) {
    const value = given.get(name);
    given.delete(name);
    return value;
  }
  if (name in f.defaults) return f.defaults[name]();
  throw new TypeError(`${f.name} misses ${name}`);
}

export function bind(f, self) {
  const made = (...args) => call(f, [self, ...args]);
  made.forward = (args, keywords) => call(f, [self, ...args], keywords);
  return made;
}

export function partial(f, before, names) {
  const made = (...args) => call(f, [...before, ...args], names);
  made.forward = (args, keywords) => call(f, [...before, ...args], [...new Map([...names, ...keywords])]);
  return made;
}

/** A function that becomes another one before the first call. */
export function later() {
  let meant = null;
  const made = (...args) => call(meant, args);
  made.forward = (args, keywords) => call(meant, args, keywords);
  made.become = (f) => { meant = f; };
  return made;
}

/** A function with a meaning for each kind of record (`core/hooks.py`). */
export function hook(said) {
  const meanings = new Map();
  const made = (...args) => call(meaning(args), args);
  const meaning = (args) => {
    const found = meanings.get(args[0].dtype) ?? meanings.get(null);
    if (!found) throw new TypeError(`${said} has no meaning for this record`);
    return found;
  };
  made.forward = (args, keywords) => call(meaning(args), args, keywords);
  made.fill = (dtype, f) => meanings.set(dtype, f);
  return made;
}

// Attributes ----------------------------------------------------------------------------------------------------------

const kinds = []; // [a test, {name: method or {get}}] of values that are no instances, the first that fits

/** Say which attributes values have for which `fits`. A function is a method; {get} is read. */
export function attributes(fits, names) {
  kinds.push([fits, names]);
}

const NONE = Symbol("none");

function found(owner, name) {
  if (owner instanceof Instance) {
    if (Object.hasOwn(owner.d, name)) return owner.d[name];
    const member = lookup(owner.cls, name);
    if (member !== undefined) return fromClass(member, owner, owner.cls, name);
    if (name === "__class__") return owner.cls;
    return mapping(owner, name);
  }
  if (owner?.isClass) {
    if (name === "__name__") return owner.said;
    const member = lookup(owner, name);
    return member === undefined ? NONE : fromClass(member, null, owner, name);
  }
  if (owner?.isNamespace) return name in owner.names ? owner.names[name] : NONE;
  for (const [fits, names] of kinds) {
    if (!fits(owner)) continue;
    if (Object.hasOwn(names, name)) {
      const member = names[name];
      if (typeof member === "object") return member.get(owner);
      const made = (...args) => member(owner, ...args);
      made.forward = (args, keywords) => (keywords.length ? member(owner, ...args, Object.fromEntries(keywords)) : member(owner, ...args));
      return made;
    }
    if (names.other) return names.other(owner, name) ?? NONE;
  }
  if (name === "__getitem__") return (key) => item(owner, key);
  return NONE;
}

/** What a class with `__getitem__` and `__iter__` has as a mapping. */
function mapping(owner, name) {
  if (!lookup(owner.cls, "__getitem__") || !lookup(owner.cls, "__iter__")) return NONE;
  const kept = () => [...owner].map((key) => T(key, item(owner, key)));
  return { items: kept, values: () => kept().map(([, value]) => value), keys: () => [...owner] }[name] ?? NONE;
}

function fromClass(member, self, owner, name) {
  if (member === null || typeof member !== "object" && typeof member !== "function") return member;
  if (member.property) {
    const value = call(member.property, [self]);
    if (member.kept) self.d[name] = value;
    return value;
  }
  if (member.classmethod) return bind(member.classmethod, owner);
  if (member.staticmethod) return member.staticmethod;
  if (self !== null && typeof member === "function" && member.shape) return bind(member, self);
  return member;
}

export function get(owner, name) {
  const value = found(owner, name);
  if (value === NONE) throw fault("AttributeError", `${described(owner)} has no attribute ${name}`);
  return value;
}

export function getattr(owner, name, other) {
  const value = found(owner, name);
  if (value !== NONE) return value;
  if (other === undefined) throw fault("AttributeError", name);
  return other;
}

export function hasattr(owner, name) {
  return found(owner, name) !== NONE;
}

export function sup(after, self, name) {
  const owner = self.isClass ? self : self.cls;
  const member = lookup(owner, name, after);
  if (member === undefined) throw fault("AttributeError", name);
  return fromClass(member, self.isClass ? null : self, owner, name);
}

export function put(owner, name, value) {
  if (owner instanceof Instance) owner.d[name] = value;
  else if (owner?.setField) owner.setField(name, value);
  else throw new TypeError(`no attribute of ${described(owner)} can be written`);
}

export function m(owner, name, args, keywords = []) {
  return call(get(owner, name), args, keywords);
}

export function described(value) {
  if (value instanceof Instance) return value.cls.said;
  return value === null ? "None" : `${value?.constructor?.name ?? typeof value}`;
}

export function namespace(names) {
  return { isNamespace: true, names };
}

// Dictionaries and sets, whose keys are equal as Python's are ---------------------------------------------------------------

/** A text that is the same for equal keys. */
export function keyOf(value) {
  switch (typeof value) {
    case "string": return `s${value}`;
    case "number": case "bigint": return `n${value}`;
    case "boolean": return `n${Number(value)}`;
    case "function": return `f${identity(value)}`;
    default:
  }
  if (value === null) return "-";
  if (value instanceof Array) return `(${value.map(keyOf).map((each) => `${each.length}:${each}`).join("")})`;
  if (value instanceof Instance && fieldsOf(value.cls)) {
    return `i${identity(value.cls)}(${fieldsOf(value.cls).map(({ name }) => keyOf(value.d[name])).map((each) => `${each.length}:${each}`).join("")})`;
  }
  return `o${identity(value)}`;
}

const identities = new WeakMap();
let count = 0;

function identity(value) {
  if (!identities.has(value)) identities.set(value, ++count);
  return identities.get(value);
}

export class Dict {
  constructor(pairs = []) {
    this.map = new Map();
    for (const [key, value] of pairs) this.set(key, value);
  }

  set(key, value) {
    const text = keyOf(key);
    const there = this.map.get(text);
    if (there) there[1] = value;
    else this.map.set(text, [key, value]);
  }

  has(key) {
    return this.map.has(keyOf(key));
  }

  get(key, other = null) {
    const there = this.map.get(keyOf(key));
    return there ? there[1] : other;
  }

  delete(key) {
    return this.map.delete(keyOf(key));
  }

  get size() {
    return this.map.size;
  }

  pairs() {
    return [...this.map.values()];
  }

  [Symbol.iterator]() {
    return this.pairs().map(([key]) => key)[Symbol.iterator]();
  }
}

export class Counted extends Dict {
  /** The counts of some things, or of a dictionary of counts. */
  static of(given = null) {
    const made = new Counted();
    if (given !== null) made.add(given);
    return made;
  }

  add(given, sign = 1) {
    if (given instanceof Dict) for (const [key, value] of given.pairs()) this.set(key, add(this.get(key, 0), mul(sign, value)));
    else for (const key of iter(given)) this.set(key, this.get(key, 0) + sign);
  }

  /** Counts made from those of two, positive ones only, in Python's order. */
  with(other, combined) {
    const made = new Counted();
    for (const key of new PySet([...this, ...other])) {
      const value = combined(this.get(key, 0), other.get(key, 0));
      if (value > 0) made.set(key, value);
    }
    return made;
  }

  * elements() {
    for (const [key, value] of this.pairs()) for (let k = 0; k < value; k++) yield key;
  }
}

export class PySet {
  constructor(items = []) {
    this.map = new Map();
    for (const item of items) this.add(item);
  }

  add(item) {
    const key = keyOf(item);
    if (!this.map.has(key)) this.map.set(key, item);
  }

  has(item) {
    return this.map.has(keyOf(item));
  }

  delete(item) {
    return this.map.delete(keyOf(item));
  }

  get size() {
    return this.map.size;
  }

  [Symbol.iterator]() {
    return [...this.map.values()][Symbol.iterator]();
  }
}

export class Range {
  constructor(start, stop, step) {
    Object.assign(this, { start, stop, step });
  }

  get length() {
    return Math.max(0, Math.ceil((this.stop - this.start) / this.step));
  }

  * [Symbol.iterator]() {
    for (let at = 0; at < this.length; at++) yield this.start + at * this.step;
  }
}

export function range(...ends) {
  const [start, stop, step] = ends.length === 1 ? [0, ends[0], 1] : ends;
  return new Range(Number(start), Number(stop), Number(step ?? 1));
}

// Sequences -----------------------------------------------------------------------------------------------------------

export function iter(value) {
  if (value !== null && value !== undefined && typeof value[Symbol.iterator] === "function") return value;
  throw fault("TypeError", `${described(value)} is not iterable`);
}

export function len(value) {
  if (value instanceof Instance) {
    const own = lookup(value.cls, "__len__");
    if (own) return call(own, [value]);
    if (value.cls.named) return fieldsOf(value.cls).length;
  }
  const found = value.size ?? value.length;
  const counted = value.countRows ? value.countRows() : found;
  if (typeof counted !== "number") throw new TypeError(`${described(value)} has no length`);
  return counted;
}

export function at(value, place) {
  const length = value.length;
  const found = Number(place) < 0 ? Number(place) + length : Number(place);
  if (found < 0 || found >= length) throw fault("IndexError", "index out of range");
  return found;
}

export function item(value, key) {
  if (value instanceof Dict) {
    if (value.has(key)) return value.get(key);
    if (value instanceof Counted) return 0;
    throw fault("KeyError", key);
  }
  if (value?.getItem) return value.getItem(key);
  if (value instanceof Instance) {
    const own = lookup(value.cls, "__getitem__");
    if (own) return call(own, [value, key]);
    if (value.cls.named) return [...value][key];
  }
  if (key instanceof Slice) {
    const places = key.places(value.length);
    if (typeof value === "string") return places.map((each) => value[each]).join("");
    const list = value instanceof Range ? [...value] : value;
    const made = places.map((each) => list[each]);
    return value instanceof Tuple ? T(...made) : made;
  }
  if (value instanceof Range) return value.start + at(value, key) * value.step;
  if (typeof value === "string" || value instanceof Array) return value[at(value, key)];
  throw new TypeError(`${described(value)} has no items`);
}

export function store(value, key, given) {
  if (value instanceof Dict) value.set(key, given);
  else if (value?.setItem) value.setItem(key, given);
  else if (value instanceof Array && key instanceof Slice) {
    const places = key.places(value.length);
    value.splice(places[0] ?? value.length, places.length, ...iter(given));
  } else if (value instanceof Array) value[at(value, key)] = given;
  else throw new TypeError(`${described(value)} cannot be written`);
}

export function remove(value, key) {
  if (value instanceof Dict) value.delete(key);
  else if (key instanceof Slice) {
    const places = key.places(value.length);
    if (places.length) value.splice(places[0], places.length);
  } else value.splice(at(value, key), 1);
}

export function slice(start, stop, step) {
  return new Slice(start, stop, step);
}

/** The parts of a value for `a, b = value`; `star` is the place of `*rest`, or -1. */
export function unpack(value, count, star) {
  const parts = [...iter(value)];
  if (star < 0) {
    if (parts.length !== count) throw fault("ValueError", `${parts.length} values to unpack into ${count}`);
    return parts;
  }
  const behind = count - star - 1;
  if (parts.length < count - 1) throw fault("ValueError", "too few values to unpack");
  return [...parts.slice(0, star), parts.slice(star, parts.length - behind), ...parts.slice(parts.length - behind)];
}

export function contains(value, key) {
  if (typeof value === "string") return value.includes(key);
  if (value instanceof Dict || value instanceof PySet) return value.has(key);
  if (value instanceof Instance && lookup(value.cls, "__contains__")) return call(lookup(value.cls, "__contains__"), [value, key]);
  for (const each of iter(value)) if (t(eq(each, key))) return true;
  return false;
}

// Truth and order -------------------------------------------------------------------------------------------------------

export function t(value) {
  switch (typeof value) {
    case "boolean": return value;
    case "number": case "bigint": case "string": return Boolean(value);
    case "function": return true;
    default:
  }
  if (value === null) return false;
  if (value === undefined) throw new TypeError("a value is missing");
  if (value.truth) return value.truth();
  if (value instanceof Instance) {
    if (lookup(value.cls, "__bool__")) return call(lookup(value.cls, "__bool__"), [value]);
    return lookup(value.cls, "__len__") || value.cls.named ? len(value) > 0 : true;
  }
  if (value instanceof Array || value instanceof Range) return value.length > 0;
  if (value instanceof Dict || value instanceof PySet) return value.size > 0;
  return true;
}

export function both(first, ...rest) {
  let value = first;
  for (const each of rest) {
    if (!t(value)) return value;
    value = each();
  }
  return value;
}

export function either(first, ...rest) {
  let value = first;
  for (const each of rest) {
    if (t(value)) return value;
    value = each();
  }
  return value;
}

function isNumber(value) {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
}

export function eq(one, other) {
  if (one?.each) return one.each(other, eq);
  if (other?.each) return other.each(one, (a, b) => eq(b, a));
  return same(one, other);
}

function same(one, other) {
  if (isNumber(one) && isNumber(other)) return one == other; // eslint-disable-line eqeqeq
  if (one instanceof Array && other instanceof Array) {
    return one instanceof Tuple === other instanceof Tuple && one.length === other.length && one.every((each, k) => t(eq(each, other[k])));
  }
  if (one instanceof Instance && other instanceof Instance) {
    if (one === other) return true;
    const own = lookup(one.cls, "__eq__");
    if (own) return t(call(own, [one, other]));
    return one.cls === other.cls && Boolean(fieldsOf(one.cls)) && keyOf(one) === keyOf(other);
  }
  if (one instanceof Dict && other instanceof Dict) {
    return one.size === other.size && one.pairs().every(([key, value]) => other.has(key) && t(eq(value, other.get(key))));
  }
  if (one instanceof PySet && other instanceof PySet) return one.size === other.size && [...one].every((each) => other.has(each));
  return one === other;
}

export function ne(one, other) {
  const found = eq(one, other);
  return found?.each ? found.each(null, (value) => !value) : !found;
}

/** -1, 0 or 1. */
export function order(one, other) {
  if (isNumber(one) && isNumber(other) || typeof one === "string" && typeof other === "string") return one < other ? -1 : Number(one > other);
  if (one instanceof Array && other instanceof Array) {
    for (let k = 0; k < Math.min(one.length, other.length); k++) {
      const found = order(one[k], other[k]);
      if (found) return found;
    }
    return Math.sign(one.length - other.length);
  }
  throw new TypeError(`${described(one)} and ${described(other)} have no order`);
}

function ordered(test) {
  return function compare(one, other) {
    if (one?.each) return one.each(other, compare);
    if (other?.each) return other.each(one, (a, b) => compare(b, a));
    if (one instanceof PySet && other instanceof PySet) return subset(one, other, test);
    return test(order(one, other));
  };
}

function subset(one, other, test) {
  const within = [...one].every((each) => other.has(each));
  const holds = [...other].every((each) => one.has(each));
  return test(within && holds ? 0 : within ? -1 : holds ? 1 : NaN);
}

export const lt = ordered((found) => found < 0);
export const le = ordered((found) => found <= 0);
export const gt = ordered((found) => found > 0);
export const ge = ordered((found) => found >= 0);

// Arithmetic ----------------------------------------------------------------------------------------------------------

/** A BigInt as a number where it fits. */
export function norm(value) {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

function arithmetic(said, quick, exact) {
  return function operation(one, other) {
    if (typeof one === "number" && typeof other === "number") {
      const found = quick(one, other);
      if (found !== undefined) return found;
    }
    if (one?.each) return one.each(other, operation);
    if (other?.each) return other.each(one, (a, b) => operation(b, a));
    if (typeof one === "boolean") return operation(Number(one), other);
    if (typeof other === "boolean") return operation(one, Number(other));
    if (isNumber(one) && isNumber(other)) return norm(exact(BigInt(one), BigInt(other)));
    throw new TypeError(`${described(one)} ${said} ${described(other)} is not known here`);
  };
}

function safely(value) {
  return Number.isSafeInteger(value) || !Number.isInteger(value) ? value : undefined;
}

const SMALL = 0x3fffffff;
const small = (one, other) => Math.abs(one) <= SMALL && Math.abs(other) <= SMALL;
const floor = (one, other) => one / other - (one % other !== 0n && (one < 0n) !== (other < 0n) ? 1n : 0n);

const addNumbers = arithmetic("+", (a, b) => safely(a + b), (a, b) => a + b);
const subNumbers = arithmetic("-", (a, b) => safely(a - b), (a, b) => a - b);
const mulNumbers = arithmetic("*", (a, b) => safely(a * b), (a, b) => a * b);
const andNumbers = arithmetic("&", (a, b) => (small(a, b) ? a & b : undefined), (a, b) => a & b);
const orNumbers = arithmetic("|", (a, b) => (small(a, b) ? a | b : undefined), (a, b) => a | b);
const xorNumbers = arithmetic("^", (a, b) => (small(a, b) ? a ^ b : undefined), (a, b) => a ^ b);

export const lshift = arithmetic("<<", (a, b) => (small(a, b) && b < 22 ? a * 2 ** b : undefined), (a, b) => a << b);
export const rshift = arithmetic(">>", (a, b) => (small(a, b) ? a >> Math.min(b, 31) : undefined), (a, b) => a >> b);
export const div = arithmetic("/", (a, b) => a / b, (a, b) => a / b);
export const pow = arithmetic("**", (a, b) => safely(a ** b), (a, b) => a ** b);
export const floordiv = arithmetic("//", (a, b) => Math.floor(a / b), floor);
const modNumbers = arithmetic("%", (a, b) => ((a % b) + b) % b, (a, b) => a - floor(a, b) * b);

export function add(one, other) {
  if (typeof one === "string" && typeof other === "string") return one + other;
  if (one instanceof Array && other instanceof Array) return one instanceof Tuple ? T(...one, ...other) : [...one, ...other];
  if (one instanceof Counted) return one.with(other, (a, b) => a + b);
  return addNumbers(one, other);
}

export function sub(one, other) {
  if (one instanceof Counted) return one.with(other, (a, b) => a - b);
  if (one instanceof PySet) return new PySet([...one].filter((each) => !other.has(each)));
  return subNumbers(one, other);
}

export function mul(one, other) {
  if (typeof one === "string") return one.repeat(Math.max(0, Number(other)));
  if (one instanceof Array && isNumber(other)) {
    const made = Array.from({ length: Math.max(0, Number(other)) }, () => [...one]).flat();
    return one instanceof Tuple ? T(...made) : made;
  }
  if (typeof other === "string" || other instanceof Array) return mul(other, one);
  return mulNumbers(one, other);
}

export function and(one, other) {
  if (typeof one === "boolean" && typeof other === "boolean") return one && other;
  if (one instanceof Counted) return one.with(other, (a, b) => Math.min(a, b));
  if (one instanceof PySet) return new PySet([...one].filter((each) => other.has(each)));
  return andNumbers(one, other);
}

export function or(one, other) {
  if (typeof one === "boolean" && typeof other === "boolean") return one || other;
  if (one instanceof Counted) return one.with(other, (a, b) => Math.max(a, b));
  if (one instanceof Dict) return new Dict([...one.pairs(), ...other.pairs()]);
  if (one instanceof PySet) return new PySet([...one, ...other]);
  return orNumbers(one, other);
}

export function xor(one, other) {
  return xorNumbers(one, other);
}

export function mod(one, other) {
  return modNumbers(one, other);
}

export function neg(value) {
  if (value instanceof Counted) return new Counted().with(value, (_, count) => -count);
  if (value?.each) return value.each(null, neg);
  if (typeof value === "number") return value === 0 ? 0 : -value;
  return norm(-BigInt(value));
}

export function pos(value) {
  return value instanceof Counted ? value.with(new Counted(), (count) => count) : value;
}

export function invert(value) {
  if (value?.each) return value.each(null, invert);
  return sub(neg(value), 1);
}

/** `one += other`: lists grow where they are. */
export function iadd(one, other) {
  if (one instanceof Array && !(one instanceof Tuple)) {
    one.push(...iter(other));
    return one;
  }
  if (one?.changed) return one.changed(other, add);
  return add(one, other);
}

export function ior(one, other) {
  if (one instanceof Dict && !(one instanceof Counted)) {
    for (const [key, value] of pairs(other)) one.set(key, value);
    return one;
  }
  if (one instanceof PySet) {
    for (const each of other) one.add(each);
    return one;
  }
  return or(one, other);
}

export function isub(one, other) {
  return one?.changed ? one.changed(other, sub) : sub(one, other);
}

export function pairs(value) {
  if (value instanceof Dict) return value.pairs();
  return [...iter(value)];
}

export function entries(value) {
  return value.pairs();
}
