import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inCi } from "../../helpers/long.ts";
import type { Class, Classified } from "./classes.ts";
import { elsewhere } from "./elsewhere.ts";
import { classified, kinds, twins } from "./kinds.ts";

/** How many fields may have no effect, which submissions are told. These numbers only rise with new places for a field. */
const mostIdle: Readonly<Record<string, number>> = {
  transcode: 166,
  source: 74,
  analyze: 172,
  delete_asset: 216,
  package: 40,
  qc: 13,
  watchfolder: 6,
  folder_enum: 6,
  script: 5,
  bif_creator: 3,
  copy: 2,
  dpp_packager: 2,
  job: 2,
};

const table = new Map<string, readonly Classified[]>();

const silent = (kind: string, found: readonly Classified[]): string[] =>
  found.flatMap(({ name, is, why }) =>
    is === "silent" && !(`${kind}.${name}` in elsewhere) ? [`${name}: ${why}`] : [],
  );

const count = (found: readonly Classified[], kind: Class): number => found.filter(({ is }) => is === kind).length;

/** Their hundreds of fields take half a minute: `npm run check` leaves them to `.ci/run`. */
const large = new Set(["analyze", "source", "transcode", "package"]);

test.each([...kinds.keys()].filter((kind) => inCi || !large.has(kind)))(
  "%s has no field that is silently ignored",
  { timeout: 120_000 },
  async (kind) => {
    const found = await classified(kind);
    table.set(kind, found);
    expect(silent(kind, found)).toEqual([]);
    expect(count(found, "reported")).toBeLessThanOrEqual(mostIdle[kind] ?? 0);
  },
);

test("what is read elsewhere is shown by a test", () => {
  const root = join(import.meta.dirname, "../../..");
  const missing = Object.values(elsewhere).filter((place) => {
    const [file = "", name = ""] = place.split(": ");
    return !existsSync(join(root, file)) || !readFileSync(join(root, file), "utf8").includes(name);
  });
  expect(missing).toEqual([]);
});

afterAll(() => {
  const rows = [...table].map(([kind, found]) => {
    const [read, refused, reported] = (["read", "refused", "reported"] as const).map((each) => count(found, each));
    return `${kind}: ${found.length} fields, ${read} read, ${refused} refused by name, ${reported} told to have no effect`;
  });
  console.log(
    ["Every field of every schema:", ...rows, ...[...twins].map(([kind, as]) => `${kind}: as ${as}`)].join("\n"),
  );
});
