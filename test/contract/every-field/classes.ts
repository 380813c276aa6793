import type { Outcome } from "./outcome.ts";
import { choicesFor, type Placed, placeField, type Starters } from "./place-field.ts";
import { type Field, valuesFor } from "./schema-fields.ts";

/** What a field is: read where a value of it changes what is done, else refused by name, else told to have no effect. */
export type Class = "read" | "refused" | "reported" | "silent";

export type Classified = { readonly name: string; readonly is: Class; readonly why: string };

/** A context in which fields are read. */
export type Context = {
  /** The fields that it is for; absent: all. */
  readonly at?: RegExp;
  readonly payload: object;
  readonly outcomeOf: (payload: object) => Outcome | Promise<Outcome>;
};

export type Table = {
  readonly bases: readonly Context[];
  readonly starters: Starters;
  readonly examples: (name: string) => readonly unknown[];
};

/** What a field is in the contexts that are for it, until one of them settles it. */
export const classOf = async (kind: string, field: Field, table: Table): Promise<Classified> => {
  const { bases, starters, examples } = table;
  const values = valuesFor(field.schema, examples(field.name));
  let best: Classified = { name: field.name, is: "silent", why: "no base has a place for it" };
  for (const base of bases.filter(({ at }) => at?.test(field.name) ?? true)) {
    for (let choice = 0; choice < choicesFor(field.steps, starters); choice += 1) {
      const place = (value: unknown) => placeField(base.payload, field.steps, value, { starters, choice });
      const found = await tried({ kind, name: field.name, base, place }, values);
      best = [best, ...found].reduce((a, b) => (rank(b) > rank(a) ? b : a));
      if (isSettled(best)) return best;
    }
  }
  return best;
};

const isSettled = ({ is, why }: Classified): boolean =>
  is === "read" ||
  (is === "refused" && /not implemented|not supported|licensed/.test(why)) ||
  (is === "reported" && why.includes("has no effect"));

/** A field in one context. */
type Spot = {
  readonly kind: string;
  readonly name: string;
  readonly base: Context;
  readonly place: (value: unknown) => Placed | undefined;
};

/** What each value says of the field, up to the first that is read. */
const tried = async ({ kind, name, base, place }: Spot, values: readonly unknown[]): Promise<Classified[]> => {
  const around = place(undefined);
  if (!around) return [];
  const without = await keptOutcome(around.payload, base);
  const found = without.refusal ? [refusedAbove(kind, name, around.path, without.refusal)] : [];
  if (found[0]?.is === "refused") return found;
  let usual = without.refusal ? undefined : without;
  for (const value of values) {
    const placed = place(value);
    if (!placed) continue;
    const outcome = await base.outcomeOf(placed.payload);
    // Where nothing works without the field, one value of it is compared with another.
    if (!outcome.refusal) usual ??= outcome;
    found.push(judged({ name, kind, value, path: placed.path }, outcome, { without, usual }));
    if (found.at(-1)?.is === "read") return found;
  }
  return found;
};

type Try = { readonly name: string; readonly kind: string; readonly value: unknown; readonly path: string };
type Beside = { readonly without: Outcome; readonly usual: Outcome | undefined };

const judged = ({ name, kind, value, path }: Try, outcome: Outcome, { without, usual }: Beside): Classified => {
  if (!outcome.refusal && isLifted(without)) return { name, is: "read", why: "it lifts a refusal" };
  if (isQuoted(value, outcome, without)) return { name, is: "read", why: "the failure quotes it" };
  if (!usual) return refusedAbove(kind, name, path, outcome.refusal ?? { cause: "", message: "" });
  return compare({ name, path, known: without.refusal ? [] : without.warnings }, usual, outcome);
};

const isLifted = ({ refusal }: Outcome): boolean => refusal !== undefined && refusal.cause !== "invalid";

const isQuoted = (value: unknown, { refusal }: Outcome, { refusal: usual }: Outcome): boolean =>
  refusal !== undefined &&
  refusal.cause === "quality" &&
  usual?.cause === "quality" &&
  refusal.message.includes(String(value)) &&
  !usual.message.includes(String(value));

const order: readonly Class[] = ["silent", "reported", "refused", "read"];
const rank = ({ is, why }: Classified) =>
  order.indexOf(is) * 10 + (why.startsWith("no base") ? 0 : why.startsWith("around") ? 1 : 2);

/** A field of an object that is refused whole is refused with it. */
const refusedAbove = (
  kind: string,
  name: string,
  path: string,
  { cause, message }: NonNullable<Outcome["refusal"]>,
): Classified => {
  const isNamed =
    cause === "capability" && (isRefusedWith(path, message) || message.includes(`elements of kind "${kind}"`));
  return isNamed ? { name, is: "refused", why: message } : { name, is: "silent", why: `around: ${message}` };
};

/** Whether the field, or an object that it is in, is what the message says is not there. */
const isRefusedWith = (path: string, message: string): boolean =>
  placesOf(path).some((each) =>
    [" is not", " needs a licensed", ' "', ": ", '.kind "', ".payload: a filter of kind"].some((end) =>
      message.includes(`.${each}${end}`),
    ),
  );

/** The path of the field, and of all that it is in. */
const placesOf = (path: string): string[] => {
  const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index);
  return [path, ...ends.reverse().map((end) => path.slice(0, end))];
};

type Told = { readonly name: string; readonly path: string; readonly known: readonly string[] };

const compare = ({ name, path, known }: Told, around: Outcome, { refusal, warnings, done }: Outcome): Classified => {
  if (refusal?.cause === "crash" || refusal?.cause === "invalid")
    return { name, is: "silent", why: `${refusal.cause}: ${refusal.message}` };
  if (refusal?.cause === "capability") {
    const isNamed = refusal.message.includes(lastOf(path)) || isRefusedWith(path, refusal.message);
    return { name, is: isNamed ? "refused" : "read", why: refusal.message };
  }
  // A contradiction, or something that the source lacks: the field was looked at.
  if (refusal) return { name, is: "read", why: refusal.message };
  if (done !== around.done) return { name, is: "read", why: "" };
  const told =
    warnings.find((each) => isIdle(each, path)) ??
    warnings.find((each) => !known.includes(each) && isIgnored(each, path));
  if (told) return { name, is: "reported", why: told };
  return { name, is: "silent", why: "nothing changes" };
};

/** A warning that the field, or an object that it is in, has no effect. */
const isIdle = (warning: string, path: string): boolean =>
  placesOf(path).some((each) => `.${warning}`.includes(`.${each} has no effect`));

/** A warning that a contradiction is ignored. */
const isIgnored = (warning: string, path: string): boolean =>
  warning.endsWith("it is ignored") && placesOf(path).some((each) => `.${warning}`.includes(`.${each}: `));

const lastOf = (path: string): string =>
  path
    .split(".")
    .at(-1)
    ?.replace(/\[\d+\]$/, "") ?? path;

const kept = new WeakMap<Context, Map<string, Outcome>>();

const keptOutcome = async (payload: object, base: Context): Promise<Outcome> => {
  const known = kept.get(base) ?? new Map<string, Outcome>();
  kept.set(base, known);
  const key = JSON.stringify(payload);
  const found = known.get(key) ?? (await base.outcomeOf(payload));
  known.set(key, found);
  return found;
};
