import fc from "fast-check";
import { aJob } from "../farm/farm.ts";

/** What a client may send that means no good, or does not know better: made by chance, again from the same seed. */
export type HostileRequest = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below /v1, with its query. */
  readonly path: string;
  readonly body?: string | undefined;
  /** Beside the credentials, or in their place. */
  readonly headers?: Readonly<Record<string, string>>;
};

const known = ["id", "ids", "fields", "filters", "field", "values", "status", "name", "payload", "elements", "uid"];
const more = ["kind", "connections", "from", "to", "success", "task", "retry", "definitions", "$inherits", "{{a}}"];
const word = fc.oneof(
  fc.constantFrom(...known, ...more, "source", "priority", "__proto__", "-1", "1e999", ""),
  fc.string({ unit: "binary" }),
);

/** Any JSON, of words that mean something here. */
export const anyValue = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 6, withCrossShrink: true }, tie("leaf"), tie("list"), tie("object")),
  leaf: fc.oneof(word, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
  list: fc.array(tie("any"), { maxLength: 5 }),
  object: fc.dictionary(word, tie("any"), { maxKeys: 6, noNullPrototype: true }),
})).any;

const method = fc.constantFrom<HostileRequest["method"]>("GET", "POST", "PUT", "DELETE");

const number = fc.oneof(fc.nat(50), fc.integer(), fc.maxSafeInteger(), fc.constantFrom("1e0", "0x1", "%00", "..", "%"));
const path = fc.oneof(
  fc.constantFrom(
    "/jobs",
    "/jobs/info",
    "/jobs/count",
    "/login",
    "/presets",
    "/nodes",
    "/limits",
    "/groups",
    "/mounts",
  ),
  fc
    .tuple(number, fc.constantFrom("", "/info", "/stop", "/tasks", "/result", "/definition", "/pause", "/delete"))
    .map(([id, below]) => `/jobs/${id}${below}`),
  fc.tuple(number, fc.constantFrom("/log", "/explain", "")).map(([id, below]) => `/tasks/${id}${below}`),
  fc.tuple(fc.constantFrom("presets", "nodes", "groups"), word.map(encode)).map((parts) => `/${parts.join("/")}`),
);

const queryPart = fc.tuple(word, fc.constantFrom("", "[]", "[0]", "[field]", "[0][values][]", "[9999]"), word);
const query = fc
  .array(queryPart, { maxLength: 8 })
  .map((parts) => parts.map(([name, index, text]) => `${encode(name)}${index}=${encode(text)}`).join("&"));

const anyBody = fc.oneof(
  anyValue.map((each) => JSON.stringify(each)),
  fc.string({ unit: "binary" }),
);

/** Any arguments, at any route. */
export const anyRequest: fc.Arbitrary<HostileRequest> = fc
  .record({ method, path, query, body: fc.option(anyBody, { nil: undefined }) })
  .map(({ query: text, ...rest }) => ({ ...rest, path: `${rest.path}?${text}` }));

const secret = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary-ascii", maxLength: 2000 }),
  fc.stringMatching(/^[\w-]{43}$/),
);
const date = fc.oneof(fc.constantFrom("20261101", "20260230", "99999999", "2026-11-01"), fc.string());
const header = fc.oneof(
  fc.tuple(fc.constantFrom("x-service-compliance", "x-hybrik-compliance"), date),
  fc.tuple(fc.constantFrom("x-service-sapiauth", "x-hybrik-sapiauth"), secret),
  fc.tuple(fc.constant("authorization"), fc.oneof(secret, pairText())),
  fc.tuple(fc.constantFrom("idempotency-key", "last-event-id", "cookie", "accept", "range"), secret),
  fc.tuple(fc.constantFrom("content-type", "accept-encoding", "x-forwarded-for", "expect", "host"), secret),
);

function pairText() {
  return fc.tuple(secret, secret).map((pair) => `Basic ${Buffer.from(pair.join(":")).toString("base64")}`);
}

/** Any headers: dates, tokens, pairs and keys that nobody gave out. */
export const anyHeaders: fc.Arbitrary<HostileRequest> = fc
  .record({
    method,
    path,
    list: fc.array(header, { minLength: 1, maxLength: 4 }),
    body: fc.constantFrom(undefined, "{}"),
  })
  .map(({ list, ...rest }) => ({
    ...rest,
    headers: Object.fromEntries(list.map(([name, text]) => [name, visible(text)])),
  }));

/** Node's own client sends nothing else in a header. */
const visible = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?");

const good = {
  ...aJob({ task_retry: { count: 1 }, task_tags: ["a"], user_tag: "b", priority: 7 }),
  definitions: { a: "x{{b}}", b: "y", o: { storage_provider: "file", path: "/{{a}}" } },
  user_data: { $inherits: "o", more: "{{a}} {{{{b}}}}" },
};
const part = fc.oneof(anyValue, fc.constantFrom("{{a}}", "{{b}}", "{{o}}", "{{", { $inherits: "o" }, "{{nobody}}"));

/** A good job in which some places hold something else. */
export const changedJob: fc.Arbitrary<HostileRequest> = fc
  .array(fc.tuple(fc.nat(60), part), { minLength: 1, maxLength: 3 })
  .map((changes) => posted(changes.reduce((job: unknown, [place, put]) => putAt(job, place, put), good)));

const name = fc.constantFrom("a", "b", "c", "d", "e", "{{a}}", "__proto__", "a.b", "-", "");
const inner = fc.oneof(
  name.map((each) => `{{${each}}}`),
  fc.array(name, { maxLength: 20 }).map((list) => list.map((each) => `{{${each}}}`).join("")),
  fc.tuple(name, name).map(([a, b]) => `{{${a}{{${b}}}}}`),
  name.map((each) => ({ $inherits: each, x: `{{${each}}}` })),
  fc.record({ $inherits: anyValue, a: name }),
  anyValue,
);

/** A job whose definitions name each other, themselves and nobody. */
export const definedJob: fc.Arbitrary<HostileRequest> = fc
  .record({
    definitions: fc.oneof(
      { arbitrary: fc.dictionary(name, inner, { maxKeys: 5, noNullPrototype: true }), weight: 9 },
      { arbitrary: anyValue, weight: 1 },
    ),
    user_data: inner,
    name: fc.oneof(fc.constant("x"), fc.constant("x"), inner),
  })
  .map((changes) => posted({ ...aJob(), ...changes }));

const posted = (job: unknown): HostileRequest => ({ method: "POST", path: "/jobs", body: JSON.stringify(job) });

function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return "%"; // half a surrogate pair
  }
}

/** The value with the part at one of its places, counted through in order, replaced. */
export const putAt = (value: unknown, place: number, part: unknown): unknown => {
  let left = place;
  const walk = (each: unknown): unknown => {
    left -= 1;
    if (left === -1) return part;
    if (Array.isArray(each)) return each.map(walk);
    if (each === null || typeof each !== "object") return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value);
};
