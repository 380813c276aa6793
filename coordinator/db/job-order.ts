import type { JobInfoField } from "../../shared/job-info.ts";

/** Where a job stands in a sorted list: ids settle ties. Nulls come first, as SQLite has it. */
export type SortKey = { readonly value: string | number | null; readonly id: number };

export type Direction = "asc" | "desc";
export type SortField = Exclude<JobInfoField, "error">;

type Part = readonly [sql: string, params: readonly unknown[]];

/**
 * A SELECT of `page_id` and `value` in the order of `field`: asc from the key on, desc from right below it; without a key,
 * from the end where the order begins. Its parts are read from the index one after the other, so that ties, however many,
 * are never stepped over. `condition` holds for each job; it must not tempt SQLite into another index.
 */
export const jobsInOrder = (
  field: SortField,
  direction: Direction,
  key: SortKey | undefined,
  condition = "TRUE",
): { readonly sql: string; readonly params: readonly unknown[] } => {
  const parts = key ? partsOf(field, direction, key) : ([["TRUE", []]] satisfies Part[]);
  const order = `ORDER BY value ${direction}, page_id ${direction}`;
  // Each part is sorted by itself and read only when those before it gave too little: a part may hold nothing that the
  // condition wants, and looking for its first row would be a walk to its end.
  const selects = parts.map(
    ([where]) => `SELECT id AS page_id, ${field} AS value FROM jobs WHERE ${where} AND ${condition} ${order} LIMIT -1`,
  );
  const sql = selects.map((select) => `SELECT * FROM (${select})`).join(" UNION ALL ");
  return { sql, params: parts.flatMap(([, params]) => params) };
};

const partsOf = (field: SortField, direction: Direction, { value, id }: SortKey): readonly Part[] => {
  const isUp = direction === "asc";
  const beside = isUp ? "id >= ?" : "id < ?";
  if (field === "id") return [[beside, [id]]];
  if (value !== null) {
    const same: Part = [`${field} = ? AND ${beside}`, [value, id]];
    const beyond: Part = [`${field} ${isUp ? ">" : "<"} ?`, [value]];
    return isUp ? [same, beyond] : [same, beyond, [`${field} IS NULL`, []]];
  }
  const nulls: Part = [`${field} IS NULL AND ${beside}`, [id]];
  return isUp ? [nulls, [`${field} >= ?`, [lowest(field)]]] : [nulls];
};

/** A range finds its beginning in the index; IS NOT NULL would step over every null. */
const lowest = (field: SortField): string | number => (texts.has(field) ? "" : Number.MIN_SAFE_INTEGER);
const texts: ReadonlySet<SortField> = new Set(["name", "user_tag", "status", "substatus"]);

/** Below zero where `a` stands before `b` in a list that goes up. */
export const compareKeys = (a: SortKey, b: SortKey): number => compareValues(a.value, b.value) || a.id - b.id;

const compareValues = (a: SortKey["value"], b: SortKey["value"]): number => {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return typeof a === "string" && typeof b === "string" ? compareTexts(a, b) : Number(a) - Number(b);
};

/** SQLite compares bytes of UTF-8, which is the order of code points; JavaScript compares halves of UTF-16. */
const compareTexts = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
};

/** Surrogates stand for code points above all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);
