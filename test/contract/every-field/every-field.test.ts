import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { elements } from "../../../shared/elements/index.ts";
import { jobPayload, jobSubmission } from "../../../shared/job.ts";
import { bases } from "./bases.ts";
import { jobs } from "./bases-job.ts";
import { type Class, type Classified, type Context, classOf } from "./classes.ts";
import { examplesFor } from "./examples.ts";
import { outcomeOf, outcomeOfJob } from "./outcome.ts";
import { type Field, fieldsOf } from "./schema-fields.ts";
import { starters } from "./starters.ts";

/** Fields that change no plan: who reads them, and the test that shows it. */
const elsewhere: Readonly<Record<string, string>> = {
  "job.user_data": "test/coordinator/http/server.test.ts: is echoed as it was received",
  "job.payload.elements[].task.comment": "test/contract/api.test.ts: a task's comment is given back to programs",
};

/** How many fields may have no effect, which submissions are told. These numbers only fall. */
const mostIdle: Readonly<Record<string, number>> = {
  transcode: 153,
  source: 69,
  analyze: 160,
  delete_asset: 204,
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

const table = new Map<string, Classified[]>();

const classified = async (kind: string, fields: readonly Field[], contexts: readonly Context[]) => {
  const found: Classified[] = [];
  for (const field of fields) {
    found.push(await classOf(kind, field, { bases: contexts, starters, examples: (name) => examplesFor(name) }));
  }
  table.set(kind, found);
  return found;
};

const silent = (kind: string, found: readonly Classified[]): string[] =>
  found.flatMap(({ name, is, why }) =>
    is === "silent" && !(`${kind}.${name}` in elsewhere) ? [`${name}: ${why}`] : [],
  );

const count = (found: readonly Classified[], kind: Class): number => found.filter(({ is }) => is === kind).length;

/** Kinds that read their payload just as one before them does. */
const twins = elements.filter(
  (each, index) => elements.findIndex(({ plan, payload }) => plan === each.plan && payload === each.payload) < index,
);

describe.each(elements.filter((each) => !twins.includes(each)))("an element of kind $kind", ({ kind, payload }) => {
  test("has no field that is silently ignored", { timeout: 120_000 }, async () => {
    const contexts = (bases[kind] ?? []).map(({ world, ...base }) => {
      return { ...base, outcomeOf: (written: object) => outcomeOf(kind, written, world) };
    });
    const found = await classified(kind, fieldsOf(payload), contexts);
    expect(silent(kind, found)).toEqual([]);
    expect(count(found, "reported")).toBeLessThanOrEqual(mostIdle[kind] ?? 0);
  });
});

test("a job has no field that is silently ignored", async () => {
  const { payload: _payload, ...fields } = jobSubmission.shape;
  const ofJob = fieldsOf(jobSubmission.clone({ ...jobSubmission._zod.def, shape: fields } as never));
  const payload = { to: "key", key: "payload", schema: jobPayload } as const;
  const contexts = jobs.map(({ at, job }): Context => {
    return { ...(at && { at }), payload: job, outcomeOf: (written) => outcomeOfJob({ ...written }) };
  });
  const found = await classified("job", [...ofJob, ...fieldsOf(jobPayload, [payload])], contexts);
  expect(silent("job", found)).toEqual([]);
  expect(count(found, "reported")).toBeLessThanOrEqual(mostIdle.job ?? 0);
});

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
    ["Every field of every schema:", ...rows, `${twins.map(({ kind }) => kind).join(", ")} as source`].join("\n"),
  );
});
