import type { ErrorDetail } from "../../../shared/basics/errors.ts";

/** The JSON text that would mend a fault, where its message says enough; undefined where a person has to decide. */
export const findFix = ({ path, message }: ErrorDetail): string | undefined => {
  const [, meant] = /did you mean ("[^"]*")\?$/.exec(message) ?? [];
  if (meant !== undefined) return meant;
  const [, bound] = /^must be at (?:most|least) (-?\d+(?:\.\d+)?), not /.exec(message) ?? [];
  if (bound !== undefined) return bound;
  const [, written] = /^must be a number, not "([^"]*)"$/.exec(message) ?? [];
  return written === undefined ? undefined : numberIn(written, path.endsWith("_kb"));
};

/** Kilobits in each unit that people write rates in. */
const kilobits: Readonly<Record<string, number>> = { "": 1, k: 1, m: 1000, g: 1_000_000 };

const numberIn = (written: string, isRate: boolean): string | undefined => {
  const [, digits, unit = ""] = /^\s*(-?\d+(?:\.\d+)?)\s*([a-z]*)(?:\/s|ps)?\s*$/i.exec(written) ?? [];
  if (digits === undefined) return undefined;
  if (unit === "") return String(Number(digits));
  const factor = kilobits[unit.toLowerCase().replace(/b(it)?s?$|bps$/, "")];
  return isRate && factor !== undefined ? String(Number(digits) * factor) : undefined;
};
