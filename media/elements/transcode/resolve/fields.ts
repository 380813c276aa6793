import { parseRational, toNumber } from "../../../../shared/basics/rational.ts";
import type { Scope } from "../../../expressions/evaluator.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Fields that hold a fraction as text. */
const fractions: readonly string[] = ["frame_rate", "par", "dar"];

/** The fields of an object as expressions in it see them: fractions are numbers. */
export const siblingsOf = (fields: Fields): Scope =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, fractions.includes(name) ? quotient(value) : value]),
  );

const quotient = (value: unknown): unknown => {
  const read = typeof value === "string" ? parseRational(value) : undefined;
  return read ? toNumber(read) : value;
};

/** A result without the last bits of a double: 1199.9999999999998 is 1200, and a rate is still read as its fraction. */
export const neat = (value: number): number => Number(value.toFixed(9));
