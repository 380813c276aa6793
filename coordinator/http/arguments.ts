import qs from "qs";
import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { parseJsonText } from "./parse-json.ts";

/** Larger arrays must be sent in the body. */
const maxQueryArray = 250;
/** The parser's time grows with the square of this number. */
const maxQueryParameters = 1000;

/** Everything after the first question mark: a value may contain another. */
export const queryOf = (url: string): string => (url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");

/**
 * Combines query string and body into one object; the body wins. Arrays come as `a[]=`, `a[0]=`, repeated names or JSON
 * text, objects as `a[b]=` or JSON text. Throws AppError.
 */
export const readArguments = (queryText: string, body: unknown, input: z.ZodType): Record<string, unknown> => {
  if (queryText === "") return asObject(body);
  const { arrays, objects } = kindsOf(input);
  const query = Object.entries(parseQuery(queryText)).map(([name, value]) => {
    if (arrays.has(name)) return [name, asArray(name, value)] as const;
    return [name, objects.has(name) && typeof value === "string" ? asObjectText(value) : value] as const;
  });
  return { ...Object.fromEntries(query), ...asObject(body) };
};

const parseQuery = (text: string): Record<string, unknown> => {
  requireReadable(text);
  requireFew(text);
  return qs.parse(text, {
    depth: 6,
    arrayLimit: maxQueryParameters,
    parameterLimit: maxQueryParameters,
    ignoreQueryPrefix: true,
  });
};

/** Counted before anything is parsed: open routes read queries of strangers. */
const requireFew = (text: string): void => {
  const count = text.split("&", maxQueryParameters + 1).length;
  if (count <= maxQueryParameters) return;
  const message = `The query has more than ${maxQueryParameters} parameters; longer lists go in the body`;
  throw new AppError("VALIDATION_FAILED", message);
};

/** qs passes on invalid encoding; we report it. */
const requireReadable = (text: string): void => {
  try {
    if (!decodeURIComponent(text).includes("\0")) return;
  } catch {
    throw new AppError("VALIDATION_FAILED", "The query contains invalid percent-encoding");
  }
  throw new AppError("VALIDATION_FAILED", "The query contains a NUL character (%00)");
};

const asObject = (body: unknown): Record<string, unknown> => {
  if (body === undefined || body === null) return {};
  if (typeof body === "object" && !Array.isArray(body)) return body as Record<string, unknown>; // just checked
  throw new AppError("VALIDATION_FAILED", "The body must be a JSON object");
};

type Kinds = { readonly arrays: ReadonlySet<string>; readonly objects: ReadonlySet<string> };
const cache = new WeakMap<z.ZodType, Kinds>();

/** Fields of the input that are arrays or may be objects; computed once per route. */
const kindsOf = (input: z.ZodType): Kinds =>
  getOrInsert(cache, input, () => ({ arrays: namesOf(input, isArray), objects: namesOf(input, mayBeObject) }));

const namesOf = (input: z.ZodType, isOfKind: (schema: z.ZodType) => boolean): ReadonlySet<string> => {
  if (!(input instanceof z.ZodObject)) return new Set();
  const entries = Object.entries(input.shape as Record<string, z.ZodType>); // the shape of any object schema
  return new Set(entries.filter(([, schema]) => isOfKind(schema)).map(([name]) => name));
};

const isArray = (schema: z.ZodType): boolean => schema instanceof z.ZodArray || innerOf(schema).some(isArray);

const mayBeObject = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject ||
  (schema instanceof z.ZodUnion ? (schema.options as z.ZodType[]) : innerOf(schema)).some(mayBeObject);

/** Default, optional and similar types have an inner type; a preprocessed type has its output type. */
const innerOf = (schema: z.ZodType): z.ZodType[] => {
  const { innerType, out } = schema.def as { innerType?: z.ZodType; out?: z.ZodType };
  const inner = innerType ?? out;
  return inner ? [inner] : [];
};

/** Text that is not an object stays unchanged. */
const asObjectText = (text: string): unknown =>
  /^\s*\{/.test(text) ? (parseJsonText(text, "The query") ?? text) : text;

const asArray = (name: string, value: unknown): unknown => {
  const list = typeof value === "string" ? fromText(value) : value;
  refuseLongArrays(name, list);
  return list;
};

/** Also nested ones, such as a filter's values. */
const refuseLongArrays = (name: string, value: unknown): void => {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value) && value.length > maxQueryArray) {
    const message = `${name} has ${value.length} elements; a query string may carry ${maxQueryArray}, more go in the body`;
    throw new AppError("VALIDATION_FAILED", message, { details: [{ path: name, message }] });
  }
  for (const part of Object.values(value)) refuseLongArrays(name, part);
};

/** Text that is not JSON is one value; validation reports it. */
const fromText = (text: string): unknown => {
  if (text === "") return [];
  return (/^[[{]/.test(text) ? parseJsonText(text, "The query") : undefined) ?? [text];
};
