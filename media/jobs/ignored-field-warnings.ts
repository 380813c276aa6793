import { type IgnoredFieldRule, ignoredFields, ignoredWhenFalse } from "./ignored-fields.ts";

/** What asks for nothing. */
const off: readonly unknown[] = [undefined, null, false, "false", 0, "0", "", "disabled"];

/** One sentence for each such field of an element of this kind that is set: `source_pipeline.options.cache_ttl has no effect: …`. */
export const ignoredFieldWarnings = (part: unknown, path: string, kind = "", isPackaged = false): string[] => {
  if (typeof part !== "object" || part === null) return [];
  const fields: Readonly<Record<string, unknown>> = { ...part };
  const isHere = ({ of = kind, notOf, within, holds, isForPackages }: Reason) =>
    isAt(within, path) &&
    of === kind &&
    (notOf === undefined || notOf !== kind) &&
    (holds?.(fields) ?? true) &&
    (!isForPackages || !isPackaged);
  return Object.entries(part).flatMap(([name, value]) => {
    const at = Array.isArray(part) ? `${path}[${name}]` : `${path}.${name}`;
    const table = off.includes(value) ? (isFalse(value) ? switchedOffFields : undefined) : idleFields;
    const why = table?.get(name)?.findLast(isHere)?.why;
    return why === undefined ? ignoredFieldWarnings(value, at, kind, isPackaged) : [`${at} has no effect: ${why}`];
  });
};

const isFalse = (value: unknown): boolean => value === false || value === "false";

type Reason = Pick<IgnoredFieldRule, "of" | "notOf" | "within" | "holds" | "isForPackages"> & { readonly why: string };

/** Field -> what is said of it, and where. */
const byField = (table: readonly IgnoredFieldRule[]): ReadonlyMap<string, readonly Reason[]> =>
  Map.groupBy(
    table.flatMap(({ fields, ...where }) => Object.entries(fields).map(([name, why]) => ({ name, why, ...where }))),
    ({ name }) => name,
  );
const [idleFields, switchedOffFields] = [byField(ignoredFields), byField(ignoredWhenFalse)];

const isAt = (within: IgnoredFieldRule["within"], path: string): boolean =>
  typeof within === "function" ? within(path) : within.test(path);
