import { describe, expect, test } from "vitest";
import { childJob, type Parent } from "../../../../media/elements/watchfolder/child.ts";
import { watchfolder } from "../../../../media/elements/watchfolder/index.ts";
import { parseJob } from "../../../../media/jobs/parse-job.ts";
import { aConnection, aCopy } from "../../../helpers/farm/farm.ts";

const payload = (settings: object = {}, source: object = {}) => ({
  source: { storage_provider: "file", path: "/in", ...source },
  settings,
});

const watchOf = (settings: object, source?: object) => {
  const context = {
    ...{ uid: "watch", payload: watchfolder.payload.parse(payload(settings, source)), job: { id: 1, name: "j" } },
    ...{ inputs: [], factsOf: () => undefined },
  };
  const plan = watchfolder.plan(context);
  if (!("tasks" in plan) || !plan.tasks[0]) throw new Error("no task was planned");
  return watchfolder.compile(plan.tasks[0], context).watch;
};

test("every setting reaches the watch", () => {
  expect(watchOf({})).toEqual({
    ...{ folder: "file:///in", selection: { pattern: { wildcard: "*" }, isRecursive: false } },
    ...{ intervalSec: 300, takesExisting: false, isTracked: true },
  });
  const settings = { pattern_matching: "regex", regex: "^a", recursive: true, interval_sec: 10, key: "k" };
  expect(watchOf({ ...settings, process_existing_files: true })).toEqual({
    ...{ folder: "file:///in", selection: { pattern: { regex: "^a" }, isRecursive: true } },
    ...{ intervalSec: 10, takesExisting: true, isTracked: true, key: "k" },
  });
  expect(watchOf({ watch_items_persistence: "untracked" })).toMatchObject({ isTracked: false });
});

const aWatch = (settings: object = {}, source: object = {}) => ({
  uid: "watch",
  kind: "watchfolder",
  task: { tags: ["WATCH_FOLDER"], retry_method: "retry", retry: { count: -1, delay_sec: 30 } },
  payload: payload(settings, source),
});

const aJob = (elements: readonly object[], connections: readonly object[], more: object = {}): Parent =>
  // What the helpers build has the shape of an accepted job.
  ({ name: "dailies", payload: { elements, connections }, ...more }) as unknown as Parent;

test.each([
  ["a regex that is missing", { pattern_matching: "regex" }, "is required when pattern_matching is regex"],
  ["a regex that is none", { pattern_matching: "regex", regex: "(" }, "is not a regular expression"],
  ["an interval of none", { interval_sec: 0 }, "interval_sec"],
])("%s is refused by name", (_what, settings, message) => {
  const job = aJob([aWatch(settings), aCopy()], [aConnection("watch", ["copy"])]);
  expect(() => parseJob(job)).toThrow(message);
});

test("what has no effect is told of", () => {
  const source = { attributes: [{ name: "ContentType", value: "a/b" }], permissions: {}, encryption: {} };
  const settings = { key: "k", watch_items_persistence: "untracked" };
  const { warnings, elements } = parseJob(aJob([aWatch(settings, source), aCopy()], [aConnection("watch", ["copy"])]));
  expect(warnings.map((warning) => warning.replace(/^payload\.elements\[0\]\.payload\./, ""))).toEqual([
    "settings.key: untracked files are remembered by no key; it is ignored",
    ...["attributes", "permissions", "encryption"].map(
      (field) => `source.${field}: a watched folder is only read; it is ignored`,
    ),
  ]);
  expect(elements[0]?.retry).toEqual({ count: -1, delaySec: 30 });
});

describe("a child job", () => {
  test("is what stands behind the watchfolder, with the file as its source", () => {
    const parent = aJob(
      [aWatch({}, { access: { credentials_key: "nas" } }), aCopy(), aCopy({ uid: "late" }), aCopy({ uid: "other" })],
      [aConnection("watch", ["copy"], ["other"]), aConnection("copy", [], ["late"])],
      { priority: 7, start_after: "2026-11-01T00:00:00Z", paused: true, definitions: { a: "b" }, user_tag: "t" },
    );
    expect(childJob(parent, "watch", "file:///in/a%20b.mov")).toEqual({
      ...{ name: "dailies: a b.mov", priority: 7, user_tag: "t" },
      payload: {
        elements: [
          {
            ...{ uid: "watch", kind: "source", name: "a b.mov" },
            payload: {
              kind: "asset_url",
              payload: { storage_provider: "file", access: { credentials_key: "nas" }, url: "file:///in/a%20b.mov" },
            },
          },
          ...[aCopy(), aCopy({ uid: "late" })],
        ],
        connections: [
          { from: [{ element: "watch" }], to: { success: [{ element: "copy" }], error: [] } },
          { from: [{ element: "copy" }], to: { success: [], error: [{ element: "late" }] } },
        ],
      },
    });
  });

  test.each([
    ["without anything behind", [aWatch(), aCopy()], [], "watch: no element is connected behind the watchfolder"],
    [
      "behind which another one stands",
      [aWatch(), { ...aWatch(), uid: "again" }],
      [aConnection("watch", ["again"])],
      "again: a watchfolder cannot stand behind the watchfolder watch",
    ],
    [
      "whose follower waits for somebody else too",
      [aWatch(), aCopy({ uid: "src" }), aCopy()],
      [aConnection(["watch", "src"], ["copy"])],
      "copy stands behind the watchfolder watch and behind src, which does not",
    ],
  ])("of a watchfolder %s is refused in words", (_what, elements, connections, message) => {
    expect(() => childJob(aJob(elements, connections), "watch", "file:///in/a")).toThrow(message);
  });
});
