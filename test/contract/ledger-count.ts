import { jobUpdate } from "../../shared/model/job.ts";
import { testedFields } from "./coverage.ts";
import { elsewhere } from "./every-field/elsewhere.ts";
import { classified, kinds } from "./every-field/kinds.ts";
import { type FieldRow, fieldRows } from "./ledger.ts";

/**
 * What becomes of every field that the specification's ledger lets clients send. `node test/contract/ledger-count.ts` prints
 * how many have an effect, are refused by name, are told to have none, and are ignored in silence, and names all but the first.
 */

type Fate = "effect" | "refused" | "told" | "silent";
type Counted = { readonly id: string; readonly fate: Fate; readonly why: string };

const fates = { read: "effect", refused: "refused", reported: "told", silent: "silent" } as const;

/** The kind and the path by which `every-field` knows a field of the ledger. */
const placeOf = ({ object, field }: FieldRow): { readonly kind: string; readonly path: string } => {
  const whole = `${object}.${inside[field] ?? field}`.replaceAll(/\(\w+\)/g, "").replaceAll(/\[kind=(\w+)\]/g, "[$1]");
  if (whole.startsWith("transcode.")) return { kind: "transcode", path: whole.slice("transcode.".length) };
  const source = "payload.elements[source].payload.";
  if (whole.startsWith(source)) return { kind: "source", path: whole.slice(source.length) };
  return { kind: "job", path: whole.replace(/^job\./, "") };
};

/** Names of the ledger for what a job says by the fields within it. */
const inside: Readonly<Record<string, string>> = {
  by_sec_in_out: "outpoint_sec",
  by_sec_in_dur: "duration_sec",
  by_timecode: "inpoint_tc",
  by_asset_timecode: "inpoint_asset_tc",
  by_frame_nr: "inpoint_frame",
  by_section_nr: "inpoint_section",
  by_media_track: "reference_media_track",
};

/** Fields that only say that there is nothing to say. */
const empty = new Set(["2.6.1/target.trim.by_nothing"]);

/** The field itself, what is in it, and for `kind` the variants that it chooses. */
const namesOf = (kind: string, path: string): string[] => {
  const chooses = path.replace(/\.?kind$/, "");
  const names = (kinds.get(kind)?.fields ?? []).map(({ name }) => name);
  const isWithin = (name: string, of: string): boolean => {
    const bare = name.replaceAll(/\(\w+\)/g, "").replace(/^\./, "");
    // A list of the ledger is one of any kind of filter.
    const place = of.replaceAll(/[.[\]]/g, String.raw`\$&`).replaceAll(String.raw`\[\]`, String.raw`\[\w*\]`);
    return new RegExp(`^${place}(?:[.[]|$)`).test(bare);
  };
  const own = names.filter((name) => isWithin(name, path));
  if (own.length > 0 || chooses === path) return own;
  return names.filter((name) => (chooses === "" ? name.startsWith("(") : isWithin(name, chooses)));
};

const order: readonly Fate[] = ["silent", "told", "refused", "effect"];

const fateOf = async (row: FieldRow): Promise<Counted> => {
  const shown = testedFields[row.id];
  if (shown !== undefined || empty.has(row.id)) return { id: row.id, fate: "effect", why: shown ?? "" };
  if (row.object === "job_update")
    return { id: row.id, fate: row.field in jobUpdate.shape ? "effect" : "silent", why: "a field of an update" };
  const { kind, path } = placeOf(row.field === "<name>" ? { ...row, object: "job", field: "definitions" } : row);
  let best: Counted = { id: row.id, fate: "silent", why: `${kind} has no field ${path}` };
  for (const name of namesOf(kind, path)) {
    const [found] = await classified(kind, (each) => each === name);
    if (!found) continue;
    const fate = Object.hasOwn(elsewhere, `${kind}.${name}`) ? "effect" : fates[found.is];
    if (order.indexOf(fate) >= order.indexOf(best.fate)) best = { id: row.id, fate, why: found.why };
    if (fate === "effect") break;
  }
  return best;
};

/** Every field that clients send, in the ledger's order. */
const countLedger = async (): Promise<Counted[]> => {
  const counted: Counted[] = [];
  for (const row of fieldRows.filter(({ dir }) => dir === "in")) counted.push(await fateOf(row));
  return counted;
};

const all = await countLedger();
for (const { id, fate, why } of all.filter((each) => each.fate !== "effect")) console.log(`${fate}: ${id}: ${why}`);
const counts = ["effect", "refused", "told", "silent"].map((fate) => {
  return `${all.filter((each) => each.fate === fate).length} ${fate === "effect" ? "with effect" : fate}`;
});
console.log(`${all.length} fields: ${counts.join(", ")}`);
if (all.some(({ fate }) => fate === "silent")) process.exitCode = 1;
