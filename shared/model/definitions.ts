import { AppError } from "../basics/errors.ts";
import { didYouMean } from "../basics/nearest-name.ts";
import { isObject } from "../basics/plain-object.ts";

/** Counts what is put into a job, in characters; throws where that is too much. */
export type Spend = (characters: number) => void;

/** Limits on how far definitions may enlarge a job: inserted characters and values, counting every use. */
const maxInserted = 1_000_000;
const maxDepth = 100;

const placeholder = /\{\{([A-Za-z0-9_.-]+)\}\}/g;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Measured = { readonly value: Json; readonly size: number; readonly depth: number };

/**
 * A copy of the job with every `{{name}}` replaced, also in names of fields: the innermost first, whole strings by values
 * of any type, objects merged for `$inherits` (fields beside it win). Other braces are literal. Throws AppError VALIDATION_FAILED for
 * undefined names, cycles, and jobs that grow beyond the limits.
 */
export const resolveDefinitions = (job: Record<string, unknown>, spend = spendUpToLimit()): Record<string, unknown> => {
  const { definitions = {}, ...rest } = job;
  if (!isObject(definitions)) throw refuse("definitions must be an object");
  const scope = createScope(definitions as Record<string, Json>, spend); // parsed JSON contains nothing else
  const expanded = scope.expand(rest as Json, [], 0) as Record<string, unknown>; // an object stays an object
  return job.definitions === undefined ? expanded : { ...expanded, definitions };
};

const refuse = (message: string): AppError =>
  new AppError("VALIDATION_FAILED", message, { details: [{ path: "definitions", message }] });

const noDefinition = (name: string, known: readonly string[]): string =>
  `"{{${name}}}" is used, but definitions has no "${name}"${didYouMean(name, known, (each) => `{{${each}}}`)}`;

const tooDeep = () => refuse(`the job is nested deeper than ${maxDepth} levels`);

/** How to fill in names: the definitions on the way to a value, and how deep it is nested. */
type Scope = {
  readonly use: (name: string, trail: readonly string[], depth: number) => Json;
  /** Counts characters that are written or looked through once more. */
  readonly spend: Spend;
  readonly expand: (value: Json, trail: readonly string[], depth: number) => Json;
};
type At = { readonly scope: Scope; readonly trail: readonly string[]; readonly depth: number };

const spendUpToLimit = (): Spend => {
  let inserted = 0;
  return (characters) => {
    inserted += characters;
    if (inserted > maxInserted) throw refuse(`definitions expand to more than ${maxInserted} characters`);
  };
};

const createScope = (definitions: Record<string, Json>, spend: Spend): Scope => {
  // Each definition is resolved once: otherwise a few that use each other twice would take exponential time.
  const known = new Map<string, Measured>();
  const use: Scope["use"] = (name, trail, depth) => {
    if (trail.includes(name)) throw refuse(`definitions go in a circle: ${[...trail, name].join(" -> ")}`);
    const found = known.get(name) ?? workOut(name, trail);
    spend(found.size);
    if (depth + found.depth > maxDepth) throw tooDeep();
    return found.value;
  };
  const workOut = (name: string, trail: readonly string[]): Measured => {
    if (!Object.hasOwn(definitions, name)) throw refuse(noDefinition(name, Object.keys(definitions)));
    if (trail.length >= maxDepth) throw refuse(`definitions name each other in a chain longer than ${maxDepth}`);
    const measured = measure(expand(definitions[name] as Json, [...trail, name], 0)); // it was just found
    known.set(name, measured);
    return measured;
  };
  const expand: Scope["expand"] = (value, trail, depth) => {
    if (depth > maxDepth) throw tooDeep();
    const at = { scope: { use, spend, expand }, trail, depth };
    if (typeof value === "string") return expandText(value, at);
    if (Array.isArray(value)) return value.map((item) => expand(item, trail, depth + 1));
    return value !== null && typeof value === "object" ? expandObject(value, at) : value;
  };
  return { use, spend, expand };
};

/** One pass replaces all innermost names; the next pass those around them. */
const expandText = (text: string, { scope, trail, depth }: At): Json => {
  let current = text;
  for (let pass = 0; current.search(placeholder) >= 0; pass += 1) {
    if (pass > maxDepth) throw refuse(`placeholders are nested more than ${maxDepth} levels deep`);
    if (pass > 0) scope.spend(current.length);
    const whole = /^\{\{([A-Za-z0-9_.-]+)\}\}$/.exec(current)?.[1];
    const value = whole === undefined ? undefined : scope.use(whole, trail, depth);
    if (value !== undefined && typeof value !== "string") return value;
    current = value ?? current.replaceAll(placeholder, (_, name: string) => asText(scope.use(name, trail, depth)));
  }
  return current;
};

const expandObject = (object: { [key: string]: Json }, at: At): Json => {
  const { $inherits: inherits, ...own } = object;
  const fields = new Map<string, Json>();
  for (const [key, value] of Object.entries(own)) {
    const name = expandKey(key, at);
    if (fields.has(name)) throw refuse(`"${key}" becomes "${name}", and the object already has a field of that name`);
    fields.set(name, at.scope.expand(value, at.trail, at.depth + 1));
  }
  if (inherits === undefined) return Object.fromEntries(fields);
  return { ...inherited(inherits, at), ...Object.fromEntries(fields) };
};

const expandKey = (key: string, at: At): string => {
  const name = expandText(key, at);
  if (name === key || (isScalar(name) && !reserved.has(`${name}`))) return `${name}`;
  throw refuse(`"${key}" stands for the name of a field, and ${asText(name)} cannot be one`);
};

/** Both spellings occur: "{{name}}", which is already the object here, and the bare name. */
const inherited = (inherits: Json, { scope, trail, depth }: At): { [key: string]: Json } => {
  const filled = scope.expand(inherits, trail, depth);
  const base = typeof filled === "string" ? scope.use(filled, trail, depth) : filled;
  if (base !== null && typeof base === "object" && !Array.isArray(base)) return base;
  throw refuse(`"$inherits" must name an object, and "${asText(inherits)}" is none`);
};

/** `$inherits` is read before names are filled in; `__proto__` is refused in a body too. */
const reserved = new Set(["$inherits", "__proto__"]);

const isScalar = (value: Json): value is string | number | boolean => value !== null && typeof value !== "object";

const asText = (value: Json): string =>
  value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);

/** Counts its characters and values, so that even empty ones cannot be inserted without limit. */
const measure = (value: Json): Measured => {
  if (typeof value === "string") return { value, size: value.length + 1, depth: 0 };
  if (value === null || typeof value !== "object") return { value, size: 1, depth: 0 };
  const parts = Object.entries(value).map(([key, part]) => ({ key, ...measure(part) }));
  return {
    value,
    size: parts.reduce((sum, { key, size }) => sum + key.length + size, 1),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  };
};
