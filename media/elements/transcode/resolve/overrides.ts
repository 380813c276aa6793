import { isObject } from "../../../../shared/basics/plain-object.ts";
import { evaluate, missingPaths, type Scope } from "../../../expressions/evaluator.ts";
import { withoutValue } from "../../../expressions/ffmpeg.ts";
import { parseExpression } from "../../../expressions/parser.ts";
import { namesOf } from "../../../expressions/tree.ts";
import { type Fields, neat, siblingsOf } from "./fields.ts";

export type Overriding = {
  readonly scope: Scope;
  readonly path: string;
  /** Called for each override that has no value and is ignored. */
  readonly warn: (warning: string) => void;
};

/** The fields with the values that their overrides give. */
export const applyOverrides = (written: Fields, overrides: Fields, overriding: Overriding): Fields => {
  const fields = { ...written };
  for (const [name, value] of inOrder(overrides)) {
    const at = { ...overriding, path: `${overriding.path}.${name}` };
    const made = isObject(value) ? below(fields, name, value, at) : valueFor(value, fields, at);
    if (made !== undefined) Object.assign(fields, { [name]: made });
  }
  return fields;
};

/** Overrides that need no other one come first, so that the rest see their values. */
const inOrder = (overrides: Fields): [string, unknown][] => {
  const isLate = ([name, value]: [string, unknown]) =>
    typeof value === "string" && namesOf(parseExpression(value)).some((each) => each !== name && each in overrides);
  const all = Object.entries(overrides);
  return [...all.filter((each) => !isLate(each)), ...all.filter(isLate)];
};

const below = (fields: Fields, name: string, overrides: Fields, at: Overriding): Fields => {
  const inner = fields[name];
  return applyOverrides(isObject(inner) ? inner : {}, overrides, {
    ...at,
    scope: { ...siblingsOf(fields), ...at.scope },
  });
};

const valueFor = (text: unknown, fields: Fields, { scope, path, warn }: Overriding): unknown => {
  if (typeof text !== "string") return text ?? undefined;
  const [tree, known] = [parseExpression(text), { ...siblingsOf(fields), ...scope }];
  const value = evaluate(tree, known);
  if (value !== undefined && typeof value !== "object") return typeof value === "number" ? neat(value) : value;
  const reason = value === undefined ? withoutValue(missingPaths(tree, known)) : "its value is not a number or a text";
  return void warn(`${path} is ignored: ${reason}`);
};
