import type { TableName } from "../rows.ts";

/** Columns by their types, for rows that come as JSON; those not named are whole numbers. */
const texts = [
  ...["name", "tag", "key_hash", "state", "health", "health_why", "compute_group", "joined_by", "user_tag", "status"],
  ...["substatus", "error", "owner", "owner_id", "owner_group", "origin", "definition", "uid", "path", "element_uid"],
  ...["kind", "purpose", "weight", "log", "uri", "tool", "who", "key", "mark", "watch", "problem"],
  ...["webhook", "type", "about", "body", "answer", "traceparent", "cause"],
];
const objects = [
  ...["provided_tags", "mandatory_tags", "hello", "tags", "elements", "connections", "warnings", "task_tags", "assets"],
  ...["failure", "batches", "requires", "demand", "work", "awaits", "intent", "published", "stats", "files", "facts"],
];

type ColumnType = { readonly given: string; readonly cast: "" | "::json" };

const types: Readonly<Record<string, ColumnType>> = {
  ...Object.fromEntries(texts.map((name) => [name, { given: "text", cast: "" }])),
  // As text in JSON: the characters of an object's own JSON then stay what they are.
  ...Object.fromEntries(objects.map((name) => [name, { given: "text", cast: "::json" }])),
  modified: { given: "double precision", cast: "" },
};
const wholeNumber: ColumnType = { given: "bigint", cast: "" };

export const columnType = (table: TableName, column: string): ColumnType => {
  if (table === "watchedFiles" && column === "owner") return wholeNumber;
  return types[column] ?? wholeNumber;
};
