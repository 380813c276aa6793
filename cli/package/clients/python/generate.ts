import type { Call, ClientModel } from "../calls.ts";
import { type Field, inPathShape, type Shape } from "../shapes.ts";
import { camel, isIdentifier, oneLine, typesText } from "./types.ts";

/** The files of the Python client that are made from the document, by name. */
export const pythonFiles = (model: ClientModel): Readonly<Record<string, string>> => {
  let client = "";
  const types = typesText(model, (named) => {
    const typeOf = (place: string, shape: Shape): string => throughTypes(named(place, shape), shape);
    client = clientFile(model, typeOf);
  });
  return { "types.py": types, "client.py": client };
};

type TypeOf = (place: string, shape: Shape) => string;

/** Names that stand in `types.py`: all but the language's own. */
const throughTypes = (type: string, shape: Shape): string =>
  shape.kind === "plain"
    ? type
    : type.replaceAll(
        /"(?:[^"\\]|\\.)*"|\b(?!str\b|int\b|float\b|bool\b|None\b|Any\b|True\b|False\b|list\b|dict\b|Literal\b)[A-Za-z_]\w*/g,
        (word) => (word.startsWith('"') ? word : `types.${word}`),
      );

const clientFile = ({ calls, version, shapes }: ClientModel, typeOf: TypeOf): string => {
  const error = shapes.find(([name]) => name === "Error")?.[1];
  const code = error?.kind === "record" ? error.fields.find(({ name }) => name === "error")?.shape : undefined;
  return `# Made from the farm's OpenAPI document. Do not edit.
"""The calls of the farm's API."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from .runtime import UNSET, Answer, Caller, Unset

if TYPE_CHECKING:
    from . import types

# The version of the API that this client was made from.
VERSION = ${JSON.stringify(version)}

ErrorCode = ${code === undefined ? "str" : typeOf("ErrorCode", code)}


class Mediafarm(Caller):
    """A client of one farm. It logs in by itself, and again when its token has expired."""

${calls.map((call) => methodOf(call, typeOf)).join("\n")}`;
};

const methodOf = (call: Call, typeOf: TypeOf): string => {
  const place = camel(call.name);
  const inPath = call.inPath.map((name): Field => ({ name, shape: inPathShape, isRequired: true, about: undefined }));
  const fields = [...inPath, ...call.fields].map((field) => ({ field, word: wordOf(field.name), kind: "argument" }));
  const headers = call.headers.map((field) => ({ field, word: wordOf(field.name), kind: "header" }));
  const given = [...fields, ...headers];
  const keywords = [
    ...given.filter(({ field }) => field.isRequired),
    ...given.filter(({ field }) => !field.isRequired),
  ].map(({ field, word }) => {
    const type = typeOf(place + camel(field.name), field.shape);
    return field.isRequired ? `${word}: ${type}` : `${word}: ${type} | Unset = UNSET`;
  });
  const parameters = [
    "self",
    ...(call.body ? [`body: ${typeOf(`${place}Body`, call.body)}`] : []),
    ...(keywords.length > 0 ? ["*", ...keywords] : []),
  ];
  const map = (of: typeof given) =>
    `{${of.map(({ field, word }) => `${JSON.stringify(field.name)}: ${word}`).join(", ")}}`;
  const words = [
    ...[JSON.stringify(call.method), JSON.stringify(call.path), JSON.stringify(call.needs)],
    argumentsOf(call, map(fields)),
    ...(headers.length > 0 ? [map(headers)] : []),
  ];
  const about = [call.summary, ...given.flatMap(({ field, word }) => (field.about ? [`${word}: ${field.about}`] : []))];
  return `    def ${snake(call.name)}(${parameters.length > 1 ? `\n        ${parameters.join(",\n        ")},\n    ` : "self"}) -> ${answerOf(call, place, typeOf)}:
        """${about.map(oneLine).join(".\n\n        ")}."""
        return self.${ways[call.answers]}(${words.join(", ")})
`;
};

const argumentsOf = ({ body }: Call, fields: string): string => {
  if (!body) return fields;
  return fields === "{}" ? "body" : `{**body, **${fields}}`;
};

const ways = { json: "call", events: "listen", bytes: "open" };

const answerOf = ({ answers, returns }: Call, place: string, typeOf: TypeOf): string => {
  if (answers === "events") return "Iterator[tuple[str | None, types.FarmEvent]]";
  return answers === "bytes" ? "Answer" : typeOf(`${place}Answer`, returns);
};

const wordOf = (name: string): string => {
  const word = snake(name.replaceAll("-", "_"));
  return isIdentifier(word) ? word : `${word}_`;
};

/** `createJob` gives `create_job`, `Last-Event-ID` gives `last_event_id`. */
const snake = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
