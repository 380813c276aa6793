import { aConnection, aSource } from "../helpers/farm/farm.ts";
import type { FieldRow } from "./ledger.ts";

type Json = Record<string, unknown>;
export type Placed = {
  /** A job in which the field has the value. */
  readonly job: Json;
  /** Where it stands, as errors and warnings name it. */
  readonly path: string;
  readonly keys: readonly (string | number)[];
};

/** What must stand beside a field for its object to be one. */
const companions: Readonly<Record<string, Json>> = {
  "container.attributes": { name: "a", value: "b" },
  "elements[].task": { retry: { count: 1 } },
  "elements[].task.retry": { count: 1 },
  "connections[].from": {},
};

const folder = { path: "/in" };
/** Payloads of element kinds that cannot do without. */
const payloads: Readonly<Record<string, Json>> = {
  source: aSource().payload,
  copy: { target: { location: folder } },
  folder_enum: { source: folder },
  watchfolder: { source: folder },
  script: { kind: "docker", payload: { commands: [{ docker_image: { image_urn: "a/b" } }] } },
};

/** Puts a value where the row says, into a job that is valid without it. */
export const place = ({ object, field }: Pick<FieldRow, "object" | "field">, value: unknown): Placed => {
  const job = aWholeJob();
  const { holder, keys } = enter(job, startOf(object));
  holder[field] = value;
  if (field === "kind" && Object.hasOwn(payloads, String(value))) holder.payload = payloads[String(value)];
  const all = [...keys, field];
  return { job, path: pathText(all), keys: all };
};

/** The job without the field, where its object is there all the same. */
export const placeObject = ({ object, field }: Pick<FieldRow, "object" | "field">): Json => {
  const job = aWholeJob();
  delete enter(job, startOf(object)).holder[field];
  return job;
};

export const valueAt = (root: unknown, keys: readonly (string | number)[]): unknown =>
  keys.reduce<unknown>((at, key) => (at === null || typeof at !== "object" ? undefined : Reflect.get(at, key)), root);

const aWholeJob = (): Json => ({
  name: "a job",
  payload: {
    elements: [
      aSource(),
      {
        uid: "tc",
        kind: "transcode",
        payload: { targets: [{ file_pattern: "x.mp4" }] },
      },
    ],
    connections: [aConnection("src", ["tc"], [])],
  },
});

/** Every object path of the ledger as one from the job's root, with the place in each list. */
const startOf = (object: string): string => {
  const plain = object.replaceAll(/\([^)]*\)/g, "");
  if (plain === "job" || plain === "*") return "";
  if (plain.startsWith("transcode")) return plain.replace(/^transcode/, "payload.elements[1].payload");
  if (plain.startsWith("payload.elements[kind=source]")) {
    return plain.replace("elements[kind=source]", "elements[0]");
  }
  if (plain.startsWith("payload.elements[]")) return plain.replace("elements[]", "elements[1]");
  return plain.replace(/^job\./, "");
};

const enter = (job: Json, path: string): { holder: Json; keys: (string | number)[] } => {
  const keys: (string | number)[] = [];
  let holder = job;
  for (const part of path.split(".").filter(Boolean)) {
    const [, name = "", list, inside = ""] = /^(\w+)(\[(.*)\])?$/.exec(part) ?? [];
    keys.push(name);
    if (list === undefined) {
      holder = step(holder, name, companionOf(keys));
      continue;
    }
    const index = /^\d+$/.test(inside) ? Number(inside) : 0;
    const kind = /^kind=(\w+)$/.exec(inside)?.[1];
    holder[name] ??= [];
    const items = holder[name] as Json[]; // lists hold objects alone here
    items[index] ??= { ...(kind ? { kind, payload: {} } : {}), ...companionOf(keys) };
    keys.push(index);
    holder = items[index];
  }
  return { holder, keys };
};

const step = (holder: Json, name: string, companion: Json): Json => {
  holder[name] ??= { ...companion };
  return holder[name] as Json; // only objects are entered
};

const companionOf = (keys: readonly (string | number)[]): Json => {
  const text = keys.filter((key) => typeof key === "string").join(".");
  const found = Object.keys(companions).find((end) => text.endsWith(end.replaceAll("[]", "")));
  return found === undefined ? {} : structuredClone(companions[found] ?? {});
};

const pathText = (keys: readonly (string | number)[]): string =>
  keys.reduce<string>((text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${key}` : key), "");
