import type { Call, ClientModel } from "../calls.ts";
import { type Field, inPathShape, type Shape } from "../shapes.ts";

/** The files of the TypeScript client that are made from the document, by name. */
export const typescriptFiles = (model: ClientModel): Readonly<Record<string, string>> => ({
  "types.ts": typesFile(model),
  "operations.ts": operationsFile(model),
  "index.ts": indexFile(model),
});

const generated = "// Made from the farm's OpenAPI document. Do not edit.\n";

const typesFile = ({ shapes }: ClientModel): string =>
  generated +
  shapes.map(([name, shape, about]) => `\n${comment(about, "")}export type ${name} = ${typeOf(shape, "")};\n`).join("");

const operationsFile = ({ calls }: ClientModel): string => {
  const lines = calls.map(
    ({ name, method, path, needs, answers }) =>
      `  ${name}: { method: "${method}", path: "${path}", needs: "${needs}", answers: "${answers}" },\n`,
  );
  return `${generated}\nexport const operations = {\n${lines.join("")}} as const;\n`;
};

const indexFile = ({ calls, version }: ClientModel): string =>
  `${generated}
import { operations } from "./operations.ts";
import { createCalls, MediafarmError, type Options, type Waiting } from "./runtime.ts";
import type * as t from "./types.ts";

export { MediafarmError };
export type { Options, Waiting } from "./runtime.ts";
export type * from "./types.ts";

/** The version of the API that this client was made from. */
export const version = ${JSON.stringify(version)};

/** The one form in which the farm refuses something, and its codes. */
export type Problem = t.Error;
export type ErrorCode = Problem["error"];

/** Whether a call was refused by the farm, or the farm did not answer. */
export const isMediafarmError = (problem: unknown): problem is MediafarmError & { readonly code: ErrorCode } =>
  problem instanceof MediafarmError;

type CallOptions<Headers = Record<never, never>> = { signal?: AbortSignal; headers?: Headers };

export type Mediafarm = {
${calls.map(memberOf).join("\n")}
  /** Waits until a job has ended, and returns what is then known of it. */
  waitForJob(args: { job_id: string }, options?: Waiting): Promise<t.Job>;
};

/** A client of one farm. It logs in by itself, and again when its token has expired. */
export const createMediafarm = (options: Options): Mediafarm => createCalls(operations, options) as unknown as Mediafarm;
`;

const memberOf = (call: Call): string => {
  const { name, summary, method, path } = call;
  const hasArguments = call.inPath.length > 0 || call.fields.length > 0 || call.body !== undefined;
  const isOptional = call.inPath.length === 0 && !call.body && call.fields.every(({ isRequired }) => !isRequired);
  const options = `options?: CallOptions${call.headers.length > 0 ? `<${recordOf(call.headers, "  ")}>` : ""}`;
  const words = [...(hasArguments ? [`args${isOptional ? "?" : ""}: ${argumentsOf(call)}`] : ["args?: {}"]), options];
  return `  /** ${summary}. \`${method} ${path}\` */\n  ${name}(${words.join(", ")}): ${answerOf(call)};`;
};

const argumentsOf = ({ inPath, fields, body }: Call): string => {
  const ofPath = inPath.map((name): Field => ({ name, shape: inPathShape, isRequired: true, about: undefined }));
  const record = recordOf([...ofPath, ...fields], "  ");
  if (body === undefined) return record;
  return ofPath.length > 0 ? `${record} & ${typeOf(body, "  ", "t.")}` : typeOf(body, "  ", "t.");
};

const answerOf = ({ answers, returns }: Call): string => {
  if (answers === "events") return "AsyncGenerator<{ id: string | undefined; event: t.FarmEvent }>";
  return answers === "bytes" ? "Promise<Response>" : `Promise<${typeOf(returns, "  ", "t.")}>`;
};

const recordOf = (fields: readonly Field[], indent: string): string =>
  typeOf({ kind: "record", fields, isOpen: false }, indent, "t.");

const plains = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
  any: "unknown",
};

const typeOf = (shape: Shape, indent: string, prefix = ""): string => {
  switch (shape.kind) {
    case "plain":
      return plains[shape.is];
    case "named":
      return prefix + shape.name;
    case "literal":
      return shape.values.map((value) => JSON.stringify(value)).join(" | ");
    case "list":
      return `Array<${typeOf(shape.of, indent, prefix)}>`;
    case "map":
      return `Record<string, ${typeOf(shape.of, indent, prefix)}>`;
    case "union":
      return shape.of.map((each) => typeOf(each, indent, prefix)).join(" | ");
    case "record": {
      const inner = `${indent}  `;
      const lines = shape.fields.map(({ name, shape: of, isRequired, about }) => {
        const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
        return `${comment(about, inner)}${inner}${key}${isRequired ? "" : "?"}: ${typeOf(of, inner, prefix)};\n`;
      });
      const open = shape.isOpen ? `${inner}[more: string]: unknown;\n` : "";
      return lines.length > 0 || shape.isOpen ? `{\n${lines.join("")}${open}${indent}}` : "Record<string, never>";
    }
  }
};

const comment = (about: string | undefined, indent: string): string =>
  about === undefined ? "" : `${indent}/** ${about.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */\n`;
