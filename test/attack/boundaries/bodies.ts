import { aJob, type Try, unless } from "./world.ts";

const bodies: readonly (readonly [string, string])[] = [
  ["__proto__", '{"__proto__":{"role":"owner","scopes":["vault"]},"name":"x"}'],
  ["constructor.prototype", '{"constructor":{"prototype":{"role":"owner"}},"name":"x"}'],
  [
    "__proto__ in a payload",
    '{"name":"x","payload":{"elements":[{"uid":"__proto__","kind":"source","payload":{"__proto__":{"a":1}}}]}}',
  ],
  ["uid __proto__", JSON.stringify(aJob("x")).replace('"uid":"s"', '"uid":"__proto__"')],
  ["uid constructor", JSON.stringify(aJob("x")).replace('"uid":"s"', '"uid":"constructor"')],
  [
    "definitions of prototypes",
    JSON.stringify({ ...aJob("{{toString}}"), definitions: { toString: "x", valueOf: "y", hasOwnProperty: "z" } }),
  ],
  ["a kind that every object has", '{"name":"x","payload":{"elements":[{"uid":"a","kind":"toString","payload":{}}]}}'],
  ["a NUL", '{"name":"a\\u0000b"}'],
  ["depth", `${"[".repeat(5000)}${"]".repeat(5000)}`],
  ["an endless number", `{"name":"x","priority":1${"0".repeat(400)}}`],
  ["a byte order mark", `\uFEFF${JSON.stringify(aJob("x"))}`],
  ["half a character", '{"name":"\\ud800","payload":{"elements":[]}}'],
  ["a list for an object", "[]"],
  ["a text", '"x"'],
  ["null", "null"],
  ["nothing", ""],
  ["twice", '{"name":"a"}{"name":"b"}'],
  ["no JSON", "<job/>"],
  ["comments", '{/*a*/"name":"x"}'],
];
const hostileBodies: Try[] = bodies.flatMap(([what, text]) =>
  ["/jobs", "/presets", "/jobs/actions", "/limits", "/credentials"].map(
    (path): Try => [
      "program: hostile bodies",
      `${what} to ${path}`,
      async ({ mallory }) => {
        const answer = await mallory("POST", path, text);
        return answer.status >= 500 ? `${answer.status} ${answer.text.slice(0, 200)}` : undefined;
      },
    ],
  ),
);

const numbers = [
  "1e3",
  "0x1",
  "-1",
  "1.5",
  "9007199254740993",
  "99999999999999999999",
  "١",
  "１",
  "1%00",
  "+1",
  "NaN",
  "1;2",
  "1,2",
  "null",
  "[object Object]",
  "1%20",
];
const ids: Try[] = numbers.map((id) => [
  "program: ids that are none",
  id,
  async ({ alice, mallory }) => {
    const { body } = await alice("POST", "/jobs", aJob("alice's"));
    const named = encodeURIComponent(decodeURIComponent(id).replaceAll("1", body.id));
    return unless(await mallory("GET", `/jobs/${named}/info`), 400, 404);
  },
]);

const queries = [
  "ids[__proto__]=1",
  "filters[0][constructor][prototype][x]=1",
  "fields[]=__proto__",
  "take=1e9",
  "take=-1",
  "skip=-1",
  "skip=1e300",
  "sort_field=definition",
  "sort_field=id;drop",
  "filters[0][field]=definition&filters[0][values][]=a",
  "ids[length]=4294967295",
  "take[]=1&take[]=2",
  "fields[]=owner_id",
  "filters[0][field]=owner_id&filters[0][values][]=x",
  `ids[]=${"1".repeat(1000)}`,
  "%00=1",
  "ids[]=%ff",
  "fields[9999999]=id",
];
const hostileQueries: Try[] = queries.map((query) => [
  "program: hostile queries",
  query,
  async ({ mallory }) => {
    const answer = await mallory("GET", `/jobs/info?${query}`);
    return (answer.status >= 500 || answer.text.includes("alice")) && `${answer.status} ${answer.text.slice(0, 200)}`;
  },
]);

/** What programs send that is none: bodies, ids and queries. */
export const bodiesTries: readonly Try[] = [...hostileBodies, ...ids, ...hostileQueries];
