import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { openTestDoors, type TestDoors } from "../helpers/farm/doors.ts";
import { aFolder, aSmallJob, removeFolder } from "../helpers/farm/farm.ts";
import { submitJob } from "../helpers/farm/submit-job.ts";

const read = (name: string): string => readFileSync(join(import.meta.dirname, "../../docs/monitoring", name), "utf8");
type Panel = { readonly title: string; readonly targets: readonly { readonly expr: string }[] };
type Rule = { readonly alert: string; readonly expr: string; readonly annotations: { readonly summary: string } };
const { panels }: { panels: Panel[] } = JSON.parse(read("dashboard.json"));
const { groups }: { groups: { rules: Rule[] }[] } = parse(read("alerts.yaml"));
const queries = [
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
];

/** There only with TLS, and once a backup was made: other tests show them. */
const elsewhere = ["mediafarm_tls_certificate_end_seconds", "mediafarm_backup_seconds"];
/** Of Prometheus itself. */
const prometheus = ["up"];
const words =
  /^(?:sum|by|rate|delta|deriv|time|on|and|unless|bool|ignoring|(?:sum|min|max)_over_time|predict_linear|ignoring|instance|status|state)$/;

let folder: string;
let doors: TestDoors;
/** What `/metrics` tells: each name with the values of its labels. */
let told: Map<string, Map<string, Set<string>>>;
let kinds: Map<string, string>;
beforeAll(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder, {});
  await doors.node({ slots: 1 });
  await submitJob(doors.farm, aSmallJob());
  const { text } = await doors.inject({ method: "GET", url: "/metrics", remoteAddress: "127.0.0.1" });
  told = new Map();
  for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
    const [, name = "", labels = ""] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    const known = told.get(name) ?? new Map<string, Set<string>>();
    for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
    told.set(name, known);
  }
  kinds = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", kind = ""]) => [name, kind]));
});
afterAll(async () => {
  await doors.close();
  removeFolder(folder);
});

/** The metrics that a query names, each with what it asks of the labels. */
const selectorsIn = (query: string) =>
  [...query.matchAll(/\b([a-z]\w*)\b(?:\{([^}]*)\})?/g)]
    .filter(([whole, name = ""]) => whole.includes("{") || /^mediafarm_|^up$/.test(name))
    .map(([, name = "", labels = ""]) => ({ name, labels: [...labels.matchAll(/(\w+)(=~|=)"([^"]*)"/g)] }));

test.each(queries)("%s asks for numbers that the farm tells: %s", (_, query) => {
  const selectors = selectorsIn(query);
  expect(selectors.length).toBeGreaterThan(0);
  for (const { name, labels } of selectors) {
    if (elsewhere.includes(name) || prometheus.includes(name)) continue;
    expect([...told.keys()]).toContain(name);
    for (const [, label = "", , pattern = ""] of labels)
      for (const value of pattern.split("|")) expect([...(told.get(name)?.get(label) ?? [])]).toContain(value);
  }
});

test.each(queries)("%s is well formed, counts counters by their rate, and has only known words: %s", (_, query) => {
  for (const [open, close] of ["()", "{}", "[]"].map((pair) => [...pair]))
    expect(query.split(open ?? "").length).toBe(query.split(close ?? "").length);
  const bare = query
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\[[^\]]*\]/g, "");
  const others = [...bare.matchAll(/\b[a-z]\w*/g)].map(([word]) => word).filter((word) => !words.test(word));
  expect(others.filter((word) => !/^mediafarm_|^up$/.test(word) && !/^\d/.test(word))).toEqual([]);
  const counters = [...kinds].filter(([, kind]) => kind === "counter").map(([name]) => name);
  for (const name of counters.filter((each) => query.includes(each))) expect(query).toContain(`rate(${name}[`);
});

test("every number that the farm tells is explained in the docs, and a rule has words for people", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8");
  expect([...told.keys()].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  for (const { rules } of groups)
    for (const { annotations } of rules) expect(annotations.summary.length).toBeGreaterThan(15);
});
