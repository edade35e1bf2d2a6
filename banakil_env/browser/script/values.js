// Values of translated functions, as JSON has them.

import { Cells } from "./numpy.js";

/** A value of the program as JSON has it. */
export function plain(value) {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Array) return value.map(plain);
  if (value instanceof Cells) return plain(value.lists());
  if (value.pairs) return Object.fromEntries(value.pairs().map(([key, each]) => [key, plain(each)]));
  return [...value].map(plain);
}
