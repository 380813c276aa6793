import { z } from "zod";

/** How a value came to be in an element's payload. */
export const origins = ["sent", "filled", "default"] as const;

/** One value of a resolved payload: where it stands, and whether it was sent so. */
export const resolvedValue = z.strictObject({
  path: z.string(),
  value: z.string(),
  /** As it was sent, where that was another text. */
  sent: z.string().nullable(),
  origin: z.enum(origins),
});
export type ResolvedValue = z.output<typeof resolvedValue>;

/** An element as it is carried out: definitions and presets filled in, other spellings read, defaults added. */
export const resolvedElement = z.strictObject({
  uid: z.string(),
  kind: z.string(),
  values: z.array(resolvedValue),
  /** Further values that are not told. */
  left_out: z.number().int().nonnegative(),
});
export type ResolvedElement = z.output<typeof resolvedElement>;

/** More than this nobody reads. */
const mostValues = 1000;

type Payloads = {
  /** As the client wrote it. */
  readonly sent: unknown;
  /** With definitions and presets filled in. */
  readonly filled: unknown;
  /** With defaults. */
  readonly whole: unknown;
};

/** Every value of a payload with what made it: the client, a definition or preset, or a default. */
export const valuesOf = ({ sent, filled, whole }: Payloads): Pick<ResolvedElement, "values" | "left_out"> => {
  const [before, between] = [new Map(leavesOf(sent)), new Map(leavesOf(filled))];
  const all = leavesOf(whole).map(([path, value]): ResolvedValue => {
    const said = before.get(path);
    if (said === value) return { path, value, sent: null, origin: "sent" };
    const origin = said !== undefined || between.has(path) ? "filled" : "default";
    return { path, value, sent: said ?? null, origin };
  });
  return { values: all.slice(0, mostValues), left_out: Math.max(0, all.length - mostValues) };
};

/** Each value that is neither an object nor a list, with its path; of empty ones themselves. */
const leavesOf = (value: unknown, path = ""): (readonly [string, string])[] => {
  if (value === undefined) return [];
  if (value === null || typeof value !== "object") return [[path, JSON.stringify(value)]];
  const entries = Array.isArray(value)
    ? value.map((each, at) => [`${path}[${at}]`, each] as const)
    : Object.entries(value).map(([key, each]) => [path === "" ? key : `${path}.${key}`, each] as const);
  if (entries.length === 0) return [[path, Array.isArray(value) ? "[]" : "{}"]];
  return entries.flatMap(([key, each]) => leavesOf(each, key));
};
