import { AppError } from "./errors.ts";

/** How far a definition may blow up, in characters of all texts it makes. */
const maxExpandedLength = 1_000_000;
const maxDepth = 100;

const placeholder = /\{\{([A-Za-z0-9_.-]+)\}\}/;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A copy of the job with every `{{name}}` replaced: the innermost first, whole strings by values of any type, objects
 * merged where `$inherits` names one (what stands beside it wins). Other braces are literal. Throws AppError
 * VALIDATION_FAILED for names that are not defined, cycles, and texts that grow beyond the bound.
 */
export const resolveDefinitions = (job: Record<string, unknown>): Record<string, unknown> => {
  const { definitions = {}, ...rest } = job;
  if (definitions === null || typeof definitions !== "object" || Array.isArray(definitions)) {
    throw refuse("definitions must be an object");
  }
  const scope = createScope(definitions as Record<string, Json>); // parsed JSON holds nothing else
  const expanded = scope.expand(rest as Json, [], 0) as Record<string, unknown>; // an object stays one
  return job.definitions === undefined ? expanded : { ...expanded, definitions };
};

const refuse = (message: string): AppError =>
  new AppError("VALIDATION_FAILED", message, { details: [{ path: "definitions", message }] });

const createScope = (definitions: Record<string, Json>) => {
  let produced = 0;

  const defined = (name: string, trail: readonly string[], depth: number): Json => {
    if (!Object.hasOwn(definitions, name)) throw refuse(`"{{${name}}}" is used, but definitions has no "${name}"`);
    if (trail.includes(name)) throw refuse(`definitions go in a circle: ${[...trail, name].join(" -> ")}`);
    return expand(definitions[name] as Json, [...trail, name], depth + 1);
  };

  const expand = (value: Json, trail: readonly string[], depth: number): Json => {
    if (depth > maxDepth) throw refuse(`the job is nested deeper than ${maxDepth} levels`);
    if (typeof value === "string") return expandText(value, trail, depth);
    if (Array.isArray(value)) return value.map((item) => expand(item, trail, depth + 1));
    if (value !== null && typeof value === "object") return expandObject(value, trail, depth);
    return value;
  };

  const expandText = (text: string, trail: readonly string[], depth: number): Json => {
    let current = text;
    for (let found = placeholder.exec(current); found; found = placeholder.exec(current)) {
      const value = defined(found[1] ?? "", trail, depth);
      if (found[0] === current && typeof value !== "string") return value;
      const inserted = typeof value === "object" ? JSON.stringify(value) : String(value);
      produced += inserted.length;
      if (produced > maxExpandedLength) throw refuse(`definitions expand to more than ${maxExpandedLength} characters`);
      current = current.slice(0, found.index) + inserted + current.slice(found.index + found[0].length);
    }
    return current;
  };

  const expandObject = (object: { [key: string]: Json }, trail: readonly string[], depth: number): Json => {
    const { $inherits: inherits, ...own } = object;
    const entries = Object.entries(own).map(([key, value]) => [key, expand(value, trail, depth + 1)] as const);
    if (inherits === undefined) return Object.fromEntries(entries);
    const base = typeof inherits === "string" ? defined(inheritedName(inherits), trail, depth) : inherits;
    if (base === null || typeof base !== "object" || Array.isArray(base)) {
      throw refuse(`"$inherits" must name an object, and "${String(inherits)}" is none`);
    }
    return { ...base, ...Object.fromEntries(entries) };
  };

  return { expand };
};

/** Both spellings occur: the bare name and "{{name}}". */
const inheritedName = (text: string): string => placeholder.exec(text)?.[1] ?? text;
