import { decodeText, encodeText } from "./encode-text.ts";

/** How values of PostgreSQL's types come here, by the number of the type. All others stay text. */
export const readers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t" || text === "true",
  20: Number, // bigint: ids and times are below 2^53
  21: Number,
  23: Number,
  25: decodeText,
  114: (text) => text, // JSON, as it was stored
  701: Number,
};

/** A parameter as it goes to the server. */
export const paramOf = (value: unknown): unknown => {
  if (typeof value === "string") return encodeText(value);
  return Array.isArray(value) ? value.map(paramOf) : value;
};
