import type { z } from "zod";
import { AppError } from "../../../../shared/basics/errors.ts";
import { isObject } from "../../../../shared/basics/plain-object.ts";
import { parse } from "../../../../shared/basics/validation.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import { evaluate, missingPaths, type Scope } from "../../../expressions/evaluator.ts";
import { withoutValue } from "../../../expressions/ffmpeg.ts";
import { parseExpression } from "../../../expressions/parser.ts";
import { chosenShape, readSchemaShape, type Shape } from "../../../expressions/schema-shape.ts";
import { type Fields, neat, siblingsOf } from "./fields.ts";
import { isIncluded } from "./include.ts";
import { applyOverrides } from "./overrides.ts";
import type { Known } from "./scope.ts";

type Resolved<Part> = {
  /** Undefined where the conditions leave the whole part out. */
  readonly part: Part | undefined;
  readonly warnings: readonly string[];
};

/**
 * A part of a payload with everything decided that depends on its source: what the conditions leave out is gone, overrides
 * are applied, and expressions are numbers where they need no name that only ffmpeg knows.
 */
export const resolve = <Part>(schema: z.ZodType<Part>, written: Part, known: Known, path: string): Resolved<Part> => {
  const warnings: string[] = [];
  const made = walk(written, {
    shape: readSchemaShape(schema),
    known,
    path,
    siblings: {},
    warn: (text) => warnings.push(text),
  });
  return { part: made === undefined ? undefined : checked(schema, made, path), warnings };
};

type At = {
  readonly shape: Shape | undefined;
  readonly known: Known;
  readonly path: string;
  readonly siblings: Scope;
  readonly warn: (warning: string) => void;
};

const walk = (value: unknown, at: At): unknown => {
  if (at.shape?.of === "expression")
    return typeof value === "string" && !at.shape.words?.test(value) ? numberOf(value, at) : value;
  if (typeof value !== "object" || value === null) return value;
  const shape = chosenShape(at.shape, value);
  if (shape?.of === "list" && Array.isArray(value)) return walkList(value, shape.item, at);
  return shape?.of === "object" && isObject(value) ? walkFields(value, shape, at) : value;
};

const walkList = (list: readonly unknown[], shape: Shape | undefined, at: At): unknown[] =>
  list
    .map((item, index) => walk(item, { ...at, shape, path: `${at.path}[${index}]` }))
    .filter((item) => item !== undefined);

const walkFields = (written: Fields, shape: Extract<Shape, { of: "object" }>, at: At): Fields | undefined => {
  const fields = shape.fields.has("include_conditions") ? conditional(written, at) : written;
  if (fields === undefined || fields.enabled === false) return fields;
  const siblings = siblingsOf(withoutExpressions(fields, shape));
  const entries = Object.entries(fields).map(([name, value]) => {
    const below = { ...at, shape: shape.fields.get(name), path: `${at.path}.${name}`, siblings };
    return [name, walk(value, below)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
};

/** A field that is an expression itself is not known to those beside it. */
const withoutExpressions = (fields: Fields, shape: Extract<Shape, { of: "object" }>): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => typeof value !== "string" || !shape.fields.get(name)),
  );

/** A part after its conditions and overrides, without their fields. */
const conditional = (written: Fields, at: At): Fields | undefined => {
  const { include_conditions: _conditions, include_if_source_has: _tracks, overrides, ...fields } = written;
  if (!isIncluded(written, siblingsOf(fields), at.known)) return leftOut(fields);
  return isObject(overrides) ? withOverrides(fields, overrides, at) : fields;
};

// Tracks after one that is switched off keep their numbers: a target's second track is made of the source's second.
const leftOut = (fields: Fields): Fields | undefined =>
  "enabled" in fields ? { ...fields, enabled: false } : undefined;

/** Overrides of a filter are those of its payload. */
const withOverrides = (fields: Fields, overrides: Fields, { known: { scope }, path, warn }: At): Fields => {
  const overriding = { scope, path: `${path}.overrides`, warn };
  const { payload } = fields;
  if (!isObject(payload) || "payload" in overrides) return applyOverrides(fields, overrides, overriding);
  return { ...fields, payload: applyOverrides(payload, overrides, overriding) };
};

/** Expressions with names that only ffmpeg knows stay unchanged. */
const numberOf = (text: string, { known: { scope }, siblings, path }: At): unknown => {
  const [tree, all] = [parseExpression(text), { ...siblings, ...scope }];
  const value = evaluate(tree, all);
  if (typeof value === "number") return neat(value);
  const missing = missingPaths(tree, all);
  const isHopeless = missing.length === 0 || missing.some((each) => /^(source|analyzer)\b/.test(each));
  if (!isHopeless) return text;
  throw definitionError(`${path}: ${value === undefined ? withoutValue(missing) : "is not a number"}: ${text}`);
};

const checked = <Part>(schema: z.ZodType<Part>, made: unknown, path: string): Part => {
  try {
    return parse(schema, made, path);
  } catch (problem) {
    if (problem instanceof AppError) throw definitionError(problem.message);
    throw problem;
  }
};
