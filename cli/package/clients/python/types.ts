import type { ClientModel } from "../calls.ts";
import type { Field, Shape } from "../shapes.ts";

type Record_ = Extract<Shape, { readonly kind: "record" }>;

/** Names for records that have none in the document: by where they stand first. The same record has one name. */
export type Names = { readonly typeOf: (shape: Shape, place: string) => string; readonly definitions: () => string };

/** Collects a TypedDict for each record that types need. */
export const createNames = (taken: Iterable<string>, prefix: string): Names => {
  const known = new Map<string, string>();
  const used = new Set(taken);
  const texts: string[] = [];

  const nameOf = (record: Record_, place: string): string => {
    const key = JSON.stringify(record);
    const found = known.get(key);
    if (found !== undefined) return found;
    let name = place;
    for (let nr = 2; used.has(name); nr += 1) name = `${place}${nr}`;
    used.add(name);
    known.set(key, name);
    texts.push(typedDict(name, record, typeOf));
    return name;
  };
  const typeOf = (shape: Shape, place: string): string => {
    switch (shape.kind) {
      case "plain":
        return plains[shape.is];
      case "named":
        return prefix + shape.name;
      case "literal":
        return `Literal[${shape.values.map(literal).join(", ")}]`;
      case "list":
        return `list[${typeOf(shape.of, place)}]`;
      case "map":
        return `dict[str, ${typeOf(shape.of, place)}]`;
      case "union":
        return shape.of.map((each) => typeOf(each, place)).join(" | ");
      case "record":
        return prefix + nameOf(shape, place);
    }
  };
  return { typeOf, definitions: () => texts.join("") };
};

/** `types.py`: every named shape of the document. It is read by editors and type checkers alone. */
export const typesText = (
  { shapes }: Pick<ClientModel, "shapes">,
  more: (names: (place: string, shape: Shape) => string) => void,
): string => {
  const names = createNames(
    shapes.map(([name]) => name),
    "",
  );
  const classes = shapes.map(([name, shape, about]) =>
    shape.kind === "record" ? typedDict(name, shape, names.typeOf, about) : "",
  );
  const aliases = shapes.flatMap(([name, shape]) =>
    shape.kind === "record" ? [] : [{ name, type: names.typeOf(shape, `${name}Item`) }],
  );
  more((place, shape) => names.typeOf(shape, place));
  return `${head}${names.definitions()}${classes.join("")}${aliasesText(aliases)}`;
};

type Alias = { readonly name: string; readonly type: string };

/** Each behind those that it names, so that programs can read them as well. */
const aliasesText = (aliases: readonly Alias[]): string => {
  const text = ({ name, type }: Alias): string => `\n${name}: TypeAlias = ${type}\n`;
  const isNaming = ({ type }: Alias, { name }: Alias): boolean => new RegExp(`\\b${name}\\b`).test(type);
  const ready = aliases.filter((each) => !aliases.some((other) => isNaming(each, other)));
  if (aliases.length > 0 && ready.length === 0) throw new Error("Types that name each other have no order");
  const rest = aliases.filter((each) => !ready.includes(each));
  const later = rest.length > 0 ? aliasesText(rest) : "";
  return ready.map(text).join("") + later;
};

const head = `# Made from the farm's OpenAPI document. Do not edit.
"""What jobs, answers and events of the farm look like."""
from __future__ import annotations

from typing import Any, Literal, Required, TypeAlias, TypedDict

`;

const plains = { string: "str", integer: "int", number: "float", boolean: "bool", null: "None", any: "Any" };

const literal = (value: string | number | boolean | null): string => {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
};

const typedDict = (name: string, { fields }: Record_, typeOf: Names["typeOf"], about?: string): string => {
  const typed = fields.map((field) => ({ ...field, type: fieldType(name, field, typeOf) }));
  if (typed.every((field) => isIdentifier(field.name))) {
    const lines = typed.flatMap((field) => [...comment(field.about), `    ${field.name}: ${field.type}\n`]);
    const words = about === undefined ? "" : `    """${oneLine(about)}"""\n`;
    return `\nclass ${name}(TypedDict, total=False):\n${words}${lines.join("") || "    pass\n"}\n`;
  }
  const lines = typed.map((field) => `    ${JSON.stringify(field.name)}: ${JSON.stringify(field.type)},\n`);
  return `\n${name} = TypedDict(${JSON.stringify(name)}, {\n${lines.join("")}}, total=False)\n`;
};

const fieldType = (place: string, { name, shape, isRequired }: Field, typeOf: Names["typeOf"]): string => {
  const type = typeOf(shape, place + camel(name));
  return isRequired ? `Required[${type}]` : type;
};

const comment = (about: string | undefined): readonly string[] =>
  about === undefined ? [] : [`    # ${oneLine(about)}\n`];

export const oneLine = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll("\\", "\\\\").replaceAll('"""', "'''");

export const camel = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const keywords = new Set([
  ..."False None True and as assert async await break class continue def del elif else except finally for from".split(
    " ",
  ),
  ..."global if import in is lambda nonlocal not or pass raise return try while with yield".split(" "),
]);
export const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);
