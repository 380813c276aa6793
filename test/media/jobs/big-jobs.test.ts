import { expect, test } from "vitest";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { resolveDefinitions } from "../../../shared/model/definitions.ts";
import { countEdges, withErrorsOfSources } from "../../../shared/model/job-graph.ts";

const source = (uid: string) => ({
  uid,
  kind: "source",
  payload: { kind: "asset_url", payload: { storage_provider: "file", url: "file:///in.mov" } },
});
const jobOf = (elements: readonly unknown[], connections: readonly unknown[] = []) => ({
  name: "big",
  payload: { elements, connections },
});
const uids = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const ends = (names: readonly string[]) => names.map((element) => ({ element }));

/** Processor time in ms: other programs on the machine do not count. */
const cost = (run: () => unknown): number => {
  const { user, system } = process.cpuUsage();
  try {
    run();
  } catch {
    // What it refuses has a price as well.
  }
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / 1000;
};

test("two definitions that are the lists of a connection are counted before they multiply", () => {
  const job = {
    ...jobOf([...uids("a", 1000), ...uids("b", 1000)].map(source), [{ from: "{{from}}", to: { success: "{{to}}" } }]),
    definitions: { from: ends(uids("a", 1000)), to: ends(uids("b", 1000)) },
  };
  expect(() => parseJob(resolveDefinitions(job))).toThrow(
    "payload.connections: stand for 1000000 edges between elements, and 200000 are the limit",
  );
});

test("error branches that sources would inherit are counted before they are copied", () => {
  const inherited = uids("source", 500).map((uid) => ({ from: [uid], success: ["middle"], error: [] }));
  const branches = uids("x", 500).map((uid) => ({ from: ["middle"], success: [], error: [uid] }));
  const sources = new Set(uids("source", 500));
  const counted = countEdges([...inherited, ...branches], sources);
  const made = withErrorsOfSources([...inherited, ...branches], sources);
  expect(counted).toBe(
    made.reduce((sum, { from, success, error }) => sum + from.length * (success.length + error.length), 0),
  );
});

test.each<[string, (size: number) => Record<string, unknown>]>([
  [
    "an edge that is repeated",
    (size) =>
      jobOf(
        [source("a"), source("b")],
        Array.from({ length: size }, () => ({ from: ends(["a"]), to: { success: ends(["b"]) } })),
      ),
  ],
  [
    "names that are almost known",
    (size) => {
      const fields = Object.fromEntries(uids("storage_provide", size).map((name) => [name, 1]));
      const [element] = [source("a")];
      return jobOf([{ ...element, payload: { ...element.payload, ...fields } }]);
    },
  ],
  ["elements of an unknown kind", (size) => jobOf(uids("e", size).map((uid) => ({ uid, kind: "k".repeat(58) })))],
])("%s cost not much more than a good job of as many elements", (_what, build) => {
  const good = jobOf(uids("e", 8000).map(source));
  cost(() => parseJob(good));
  expect(
    cost(() => parseJob(build(8000))) /
      Math.max(
        50,
        cost(() => parseJob(good)),
      ),
  ).toBeLessThan(8);
});

test("what is said of a job with very many errors is short, and counts them all", () => {
  const job = jobOf(uids("e", 3000).map((uid) => ({ uid, kind: "sourc" })));
  expect(() => parseJob(job)).toThrow(/did you mean "source"\? \(and 2999 more\)$/);
});
