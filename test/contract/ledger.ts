import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The API's specification as data, one row a line: every field, endpoint and rule. Tests are made from it. */
export type FieldRow = {
  readonly row: "field";
  readonly id: string;
  /** Path of the object that has the field; `[kind=crop]` names an entry of a list by its kind. */
  readonly object: string;
  readonly field: string;
  readonly type: string | readonly string[];
  /** in: sent by the client, out: answered. */
  readonly dir: "in" | "out";
  readonly items?: string;
  readonly enum?: readonly (string | number)[];
  readonly default?: unknown;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly format?: string;
};

export type Argument = Pick<FieldRow, "enum" | "default" | "max" | "maxLength"> & {
  readonly name: string;
  readonly in: string;
  readonly type: string | readonly string[];
  readonly items?: string;
  readonly required?: boolean;
};

export type EndpointRow = {
  readonly row: "endpoint";
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly args: readonly Argument[];
  readonly returns: string;
};

export type RuleRow = {
  readonly row: "rule";
  readonly id: string;
  readonly kind: "rule" | "limit" | "open";
  readonly text: string;
  readonly fields?: readonly string[];
};

const rows: (FieldRow | EndpointRow | RuleRow)[] = readFileSync(join(import.meta.dirname, "ledger.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

export const fieldRows = rows.filter((each): each is FieldRow => each.row === "field");
export const endpointRows = rows.filter((each): each is EndpointRow => each.row === "endpoint");
export const ruleRows = rows.filter((each): each is RuleRow => each.row === "rule");

export const typesOf = ({ type }: Pick<FieldRow, "type">): readonly string[] => [type].flat() as string[]; // no readonly list is left
