import { aSource } from "../helpers/farm/farm.ts";
import type { FieldRow } from "./ledger.ts";
import { typesOf } from "./ledger.ts";

/** Fields whose values must mean something: one that does. */
const examples: Readonly<Record<string, unknown>> = {
  "2.1/job.payload": {
    elements: [{ uid: "s", kind: "source", payload: { kind: "asset_url", payload: { url: "/a" } } }],
  },
  "2.1/job.definitions": { a: "b" },
  "2.2/payload.elements": ["src", "tc"].map((uid) => ({ ...aSource(), uid })),
  "2.2/element.uid": "tc",
  "2.2/source.payload.payload.storage_provider": "file",
  "2.2/connection.from[].element": "src",
  "2.2/connection.to.success[].element": "tc",
  "2.2/connection.to.error[].element": "tc",
  "2.2/element.payload": { targets: [{}] },
  "2.2/connection.from": [{ element: "src" }],
  "2.2/connection.to": { success: [{ element: "tc" }] },
  "2.2/connection.to.success": [{ element: "tc" }],
  "2.2/connection.to.error": [{ element: "tc" }],
  "2.2/source.payload.kind": "asset_url",
  "2.2/source.payload.payload": { url: "/a" },
  "2.3/task.retry": { count: 1 },
  "2.6/transcode.targets": [{}],
  "2.6.1/target.include_if_source_has": ["audio[0]"],
  "2.6.1/target.audio": [{ codec: "aac" }],
  "2.6.2/container.attributes": [{ name: "a", value: "b" }],
  "2.6.2/container.scte35": { write_scte35_packets: false },
  "2.6.2/container.brand": "isom",
  "2.6.2/container.compatible_brands": ["isom"],
  "2.6.2/container.forced_compatible_brands": ["isom"],
  "2.6.5/video.filters": [{ kind: "crop" }],
  "2.6.7/audio.sample_rate": 48_000,
  "2.6.7/audio.filters": [{ kind: "fade" }],
  "2.6.7/audio.channel_designators": ["left"],
};

/** A value for each type that the row allows. */
export const goodValues = (row: FieldRow): unknown[] => {
  const example = Object.entries(examples).find(([id]) => id === row.id)?.[1];
  if (example !== undefined) return [example];
  if (row.enum && !typesOf(row).includes("array")) return [...row.enum];
  return [...typesOf(row).flatMap((type) => goodOf(type, row)), ...(row.nullable ? [null] : [])];
};

const goodOf = (type: string, { min, max, maxLength, enum: words }: FieldRow): unknown[] => {
  const edges = [min, max].filter((edge) => edge !== undefined);
  switch (type) {
    case "integer":
      return edges.length > 0 ? [...edges, ...edges.map(String)] : [1, "1"];
    case "number":
      return edges.length > 0 ? [...edges, ...edges.map(String)] : [1.5, "1.5"];
    case "boolean":
      return [true, false, "true", "false"];
    case "object":
      return [{}];
    case "array":
      return [words ? [words[0]] : []];
    case "string":
      return ["1", ...(maxLength === undefined ? [] : ["x".repeat(maxLength)])];
    default:
      return [1];
  }
};

/** Fields that take more than the specification says, because clients send it: what is refused all the same. */
const stillBad: Readonly<Record<string, unknown[]>> = {
  "2.4/definitions.<name>": [],
  "2.6.4/video.layer_affinities": [{ not: "this" }, null],
  "2.6.4/audio.layer_affinities": [{ not: "this" }, null],
};

/** Values that no type of the row allows, and those beyond its bounds. */
export const badValues = (row: FieldRow): unknown[] => {
  const known = Object.entries(stillBad).find(([id]) => id === row.id)?.[1];
  if (known) return known;
  const types = typesOf(row);
  if (types.includes("any")) return [{}];
  const isText = types.includes("string");
  const wrong = [
    ...(types.includes("object") ? [] : [{ not: "this" }]),
    ...(types.includes("array") ? [] : [[["no"]]]),
    ...(types.some((type) => ["object", "array", "boolean"].includes(type)) && !isText ? ["no_such_word"] : []),
    ...(row.enum ? ["no_such_word"] : []),
    ...(types.includes("integer") && !isText ? [1.5, "many"] : []),
    ...(row.nullable ? [] : [null]),
  ];
  const bounds = isText
    ? []
    : [...(row.min === undefined ? [] : [row.min - 1]), ...(row.max === undefined ? [] : [row.max + 1])];
  return [
    ...wrong,
    ...bounds,
    ...(row.maxLength === undefined || row.type !== "string" ? [] : ["x".repeat(row.maxLength + 1)]),
  ];
};
