import type { Range } from "../../asset.ts";
import { TaskError } from "../../causes.ts";
import { add, compare, parseRational, ratio } from "../../rational.ts";
import type { Trim } from "./schema.ts";

const understood = ["inpoint_sec", "outpoint_sec", "duration_sec"];

/** Seconds in and out of a trim. Where both outpoint and duration are given, the outpoint wins. */
export const rangeOf = (trim: Trim | undefined, what: string): Range | undefined => {
  const fields = Object.keys(trim ?? {});
  if (!trim || fields.length === 0) return undefined;
  const other = fields.find((field) => !understood.includes(field));
  if (other) throw new TaskError("capability", `${what}.${other} is not implemented; trim by seconds instead`);
  const from = seconds(trim.inpoint_sec) ?? ratio(0);
  const length = seconds(trim.duration_sec);
  const to = seconds(trim.outpoint_sec) ?? (length && add(from, length));
  if (to && compare(to, from) <= 0) throw new TaskError("definition", `${what} ends before it begins`);
  return { from, to };
};

const seconds = (value: number | undefined) => parseRational(value?.toFixed(6));
