import { describe, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { findContradiction, findForeignIntent } from "../../../coordinator/attempts/report-check.ts";
import { joinUri } from "../../../shared/files/location.ts";
import { type Intent, type Output, output, type Published, type Work } from "../../../shared/work/work.ts";
import { aConnection, aCopy, aJob, anIntent, aReport, aSource, someFacts } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

type Found = Published["found"][string];

const { world, farm, submit, report, toCopy } = useFarm();

const asking = (final: string, made = "main"): Intent => ({
  files: [{ output: made, temp: "file:///out/.t.1.7.part", final, size: 1, identity: "i", existing: "replace" }],
});
const fence = { epoch: 1, counter: 7 };
const making = (changes: Partial<Output> = {}) => ({
  assets: {},
  outputs: {
    main: output.parse({
      ...{ version: "v", folder: "file:///out", name: "a b.mp4", existing: "replace", ...changes },
    }),
  },
  steps: [],
});

/** What waits under this name is to become the task's file. */
const waiting = (temp: string, { folder = "file:///out", existing = "replace" }: Partial<Output> = {}): Intent => ({
  files: [{ output: "main", temp, final: joinUri(folder, "a b.mp4"), size: 1, identity: "i", existing }],
});

describe("a task may publish", () => {
  test.each<[string, string, Partial<Output>]>([
    ["its file", "file:///out/a%20b.mp4", {}],
    ["its file below a folder that ends in a slash", "file:///out/a%20b.mp4", { folder: "file:///out/" }],
    ["under another name where the policy is to choose one", "file:///out/a%20b_1.mp4", { existing: "rename_new" }],
    ["files of its sequence", "file:///out/frame_0001.png", { isSequence: true, name: "frame_%04d.png" }],
    ["files of its package, in folders too", "file:///out/v1/seg_1.ts", { isPackage: true }],
  ])("%s", (_what, final, changes) => {
    const [file] = asking(final).files;
    const existing = changes.existing ?? "replace";
    const intent = { files: file ? [{ ...file, existing }] : [] };
    expect(findForeignIntent(intent, { fence, work: making(changes), before: undefined })).toBeUndefined();
  });

  const inS3 = { folder: "s3://b/out", isPackage: true };
  test.each<[string, string, Partial<Output>]>([
    ["under its attempt's hidden name", "file:///out/.a b.mp4.1.7.part", {}],
    ["under the second of that name", "file:///out/.a b.mp4.1.7-2.part", {}],
    ["as an upload of its name", "s3://b/out/a b.mp4#upload=abc", { folder: "s3://b/out" }],
    ["as an upload of a package", "s3://b/out/v1/seg.ts#upload=a/b+c", inS3],
    ["below its attempt's hidden folder", "file:///out/.a b.mp4.1.7.parts/v1/seg.ts", { isPackage: true }],
  ])("what waits %s", (_what, temp, changes) => {
    expect(
      findForeignIntent(waiting(temp, changes), { fence, work: making(changes), before: undefined }),
    ).toBeUndefined();
  });

  test.each(["file:///out/farm.db", "file:///out/v1/FARM.DB", "file:///out/farm%2Edb"])(
    "nothing with the name of a coordinator's database: %s",
    (final) => {
      const work = making({ isPackage: true });
      expect(findForeignIntent(asking(final), { fence, work, before: undefined })).toMatch(
        /which its task does not make/,
      );
    },
  );

  test.each(["__proto__", "constructor", "toString", "valueOf"])(
    "nothing of an output that every object has: %s",
    (name) => {
      const intent = asking("file:///out/a%20b.mp4", name);
      expect(findForeignIntent(intent, { fence, work: making(), before: undefined })).toMatch(
        /which its task does not make/,
      );
    },
  );

  test("what an earlier grant of it names, as it was then", () => {
    const before = waiting("file:///out/.a b.mp4.1.3.part");
    expect(findForeignIntent(before, { fence, work: making(), before })).toBeUndefined();
    const changed = { files: before.files.map((file) => ({ ...file, identity: "j" })) };
    expect(findForeignIntent(changed, { fence, work: making(), before })).toContain("which is not what it made");
  });
});

describe("a task may not publish", () => {
  test.each<[string, string, Partial<Output>, string?]>([
    ["a file of another name", "file:///out/other.mp4", {}],
    ["a file of another folder", "file:///elsewhere/a%20b.mp4", {}],
    ["a file of a folder that only begins alike", "file:///outside/a%20b.mp4", { isSequence: true }],
    ["a file below its folder", "file:///out/sub/a%20b.mp4", { existing: "rename_new" }],
    ["a file above its folder", "file:///out/../etc/passwd", { isPackage: true }],
    ["the same, encoded", "file:///out/%2e%2E/etc/passwd", { isPackage: true }],
    ["its folder itself", "file:///out/", { isSequence: true }],
    ["an output that it does not have", "file:///out/a%20b.mp4", {}, "other"],
    ["a file of a name that no node would choose", "file:///out/other.mp4", { existing: "rename_new" }],
    ["what another attempt has hidden in its folder", "file:///out/.x.mp4.1.2.part", { isPackage: true }],
  ])("%s", (_what, final, changes, made) => {
    const words = `The node asked to publish ${final}, which its task does not make`;
    const asked = { fence, work: making(changes), before: undefined };
    expect(findForeignIntent(asking(final, made), asked)).toBe(words);
  });

  const sequence = { isSequence: true, name: "f_%04d.png" };
  test.each<[string, string, Partial<Output>?]>([
    ["that everybody sees", "file:///out/film.mov"],
    ["of any folder", "file:///media/film.mov"],
    ["of another folder, hidden", "file:///media/.film.mov.1.7.part"],
    ["hidden by no attempt", "file:///out/.film.mov"],
    ["of another attempt", "file:///out/.a b.mp4.1.6.part"],
    ["of an attempt of another epoch", "file:///out/.a b.mp4.2.7.part"],
    ["in a folder that is hidden", "file:///out/.a b.mp4.1.7.parts/film.mov"],
    ["above a hidden folder", "file:///out/.a.1.7.parts/../film.mov", sequence],
    ["above it, encoded", "file:///out/.a.1.7.parts%2f..%2ffilm.mov", sequence],
    ["above it, encoded in part", "file:///out/.a.1.7.parts/%2e%2e/film.mov", sequence],
    ["of another upload", "s3://b/out/other.mov#upload=abc", { folder: "s3://b/out" }],
    ["of an upload elsewhere", "s3://c/out/a b.mp4#upload=abc", { folder: "s3://b/out" }],
    ["of an upload that is a file", "file:///out/a b.mp4#upload=abc"],
  ])("a file %s", (_what, temp, changes = {}) => {
    const intent = waiting(temp, changes);
    const final = intent.files[0]?.final;
    const words = `The node asked to publish ${temp}, which is not what it made of ${final}`;
    expect(findForeignIntent(intent, { fence, work: making(changes), before: undefined })).toBe(words);
  });

  test("a file by another rule than its own", () => {
    const work = making({ existing: "fail" });
    const asked = { fence, work, before: undefined };
    expect(findForeignIntent(waiting("file:///out/.a b.mp4.1.7.part"), asked)).toContain("by another rule");
  });
});

test("a node that asks to publish what its task does not make is refused, and its attempt has failed", async () => {
  const node = await world().node();
  const { copy } = await toCopy(node);
  const [wanted] = anIntent(copy).files;
  const final = "file:///out/of-somebody-else.mov";
  const intent: Intent = { files: wanted ? [{ ...wanted, final }] : [] };
  expect(await grantCommit(farm(), node.id, copy.fence, intent)).toBe("stale");
  const why = `The node asked to publish ${final}, which its task does not make`;
  expect(await node.take()).toEqual([{ type: "cancel", epoch: farm().epoch, fence: copy.fence, why }]);
  const task = stored(farm()).task(copy.taskId);
  expect([task?.state, task?.failure, task?.intent]).toEqual(["failed", { cause: "machine", message: why }, undefined]);
});

test.each([
  ["of its roots", "file:///media/film.mov"],
  ["of another attempt", "file:///out/.in.mov.1.900.part"],
])(
  "a node that asks to publish a file %s under its own name is refused, and its attempt has failed",
  async (_what, temp) => {
    const node = await world().node();
    const { copy } = await toCopy(node);
    const [wanted] = anIntent(copy).files;
    const intent: Intent = { files: wanted ? [{ ...wanted, temp }] : [] };
    expect(await grantCommit(farm(), node.id, copy.fence, intent)).toBe("stale");
    const message = `The node asked to publish ${temp}, which is not what it made of ${wanted?.final}`;
    const task = stored(farm()).task(copy.taskId);
    expect([task?.state, task?.failure, task?.intent]).toEqual(["failed", { cause: "machine", message }, undefined]);
  },
);

test("a node cannot have one attempt's files taken for those of another that it holds", async () => {
  const node = await world().node({ slots: 2 });
  const { copy: first } = await toCopy(node);
  const elements = [
    aSource(),
    aCopy({ payload: { target: { location: { storage_provider: "file", path: "/second" } } } }),
  ];
  await submit(aJob({ payload: { elements, connections: [aConnection("src", ["copy"])] } }));
  await report(node, aReport(await node.assigned()));
  const second = await node.assigned();
  expect(await grantCommit(farm(), node.id, second.fence, anIntent(first))).toBe("stale");
  expect(await grantCommit(farm(), node.id, first.fence, anIntent(first))).toBe("ok");
});

test("a node may report facts only about what its task looks at", async () => {
  const node = await world().node();
  await submit(aJob({ payload: { elements: [aSource()] } }));
  const probe = await node.assigned();
  const told = aReport(probe);
  if (told.outcome.outcome !== "published") throw new Error("the report is of a success");
  const [[stepId, found]] = Object.entries(told.outcome.published.found) as [[string, Found]];
  const file = { ...found.file, uri: "file:///media/of-somebody-else.mov" };
  await report(node, {
    ...told,
    outcome: { outcome: "published", published: { outputs: {}, found: { [stepId]: { ...found, file } } } },
  });
  const message = "The node reported facts about file:///media/of-somebody-else.mov, which its task does not look at";
  expect(stored(farm()).task(probe.taskId)?.failure).toEqual({ cause: "machine", message });
  expect(stored(farm()).all("SELECT uri FROM facts")).toEqual([]);
});

const inTask = (changes: Partial<Work> = {}): Work => ({
  assets: { in: { uri: "https://host/a.m3u8" } },
  outputs: {},
  steps: [
    { do: "list", id: "list", folder: "file:///in", selection: { pattern: { wildcard: "*" }, isRecursive: true } },
  ],
  ...changes,
});
const listing = (...uris: string[]): Partial<Published> => ({
  results: { list: { kind: "listing", value: { part: 0, files: uris.map((uri) => ({ uri, size: 1, modified: 1 })) } } },
});
const ofManifest = (uri: string): Partial<Published> => ({
  found: {
    read: {
      ...{ unchanged: false, tool: "manifest", file: { uri: "https://host/a.m3u8" } },
      manifest: { kind: "hls", isMaster: false, sections: [{ tracks: [{ takes: ["video"], pieces: [{ uri }] }] }] },
    },
  },
});
const reading: Work["steps"] = [{ do: "manifest", id: "read", asset: "in" }];
const probing: Work["steps"] = [{ do: "probe", id: "read", asset: "in" }];
const known = { size: 5, modified: 6, tool: "t" };
const checking: Work["steps"] = [{ do: "probe", id: "read", asset: "in", known }];
const listingFrames: Work["steps"] = [
  { do: "frames", id: "read", asset: "in", question: { stream: 0, zero: { num: 0, den: 1 }, at: [] } },
];
const told = (file: Partial<Found["file"]>, isUnchanged = false): Partial<Published> => ({
  found: { read: { unchanged: isUnchanged, tool: "t", file: { uri: "https://host/a.m3u8", ...file } } },
});
const unchanged = (file: Partial<Found["file"]>) => told({ size: 5, modified: 6, ...file }, true);
const joined = (uri: string): Partial<Published> => ({
  found: { read: { unchanged: false, tool: "t", file: { uri: "https://host/a.m3u8", pieces: [{ uri }] } } },
});

test.each<[string, Work, Partial<Published>, string | undefined]>([
  ["files of its folder", inTask(), listing("file:///in/a.mov", "file:///in/b/c.mov"), undefined],
  ["a file of another folder", inTask(), listing("file:///private/a.mov"), "not in the folder"],
  ["a file above its folder", inTask(), listing("file:///in/../private/a.mov"), "not in the folder"],
  ["a listing where nothing is listed", inTask({ steps: reading }), listing("file:///in/a.mov"), "not in the folder"],
  ["segments beside the manifest", inTask({ steps: reading }), ofManifest("https://host/1.ts"), undefined],
  ["segments on a node's disk", inTask({ steps: reading }), ofManifest("file:///etc/shadow"), "another storage"],
  ["segments of another host", inTask({ steps: reading }), ofManifest("https://10.0.0.1/1.ts"), "another storage"],
  ["pieces that were not asked for", inTask({ steps: probing }), joined("file:///private/a.mov"), "other parts"],
  ["nothing of a manifest", inTask({ steps: reading }), {}, "did not tell what it found in https://host/a.m3u8"],
  ["nothing of a file", inTask({ steps: probing }), {}, "did not tell"],
  ["a file without facts", inTask({ steps: probing }), told({ size: 5, modified: 6 }), "did not tell"],
  ["facts without a time", inTask({ steps: probing }), told({ size: 5, facts: someFacts }), "did not tell"],
  ["facts", inTask({ steps: probing }), told({ size: 5, modified: 6, facts: someFacts }), undefined],
  ["an unchanged file of which it knew nothing", inTask({ steps: probing }), unchanged({}), "did not tell"],
  ["an unchanged file that it knew", inTask({ steps: checking }), unchanged({}), undefined],
  ["an unchanged file of another size", inTask({ steps: checking }), unchanged({ size: 6 }), "did not tell"],
  ["nothing of frames", inTask({ steps: listingFrames }), told({}), "did not tell"],
])("what later tasks read: %s", (_what, work, published, why) => {
  const told = { isGranted: false, intent: undefined, work };
  const contradiction = findContradiction(told, { outputs: {}, found: {}, ...published });
  if (why === undefined) expect(contradiction).toBeUndefined();
  else expect(contradiction).toContain(why);
});

test("an output is no list of other files", () => {
  const [file] = waiting("file:///out/.a b.mp4.1.7.part").files;
  const told = { isGranted: true, intent: { files: file ? [file] : [] }, work: making() };
  const uri = file?.final ?? "";
  const outputs = { main: [{ uri, size: 1, pieces: [{ uri: "file:///private/a.mov" }] }] };
  expect(findContradiction(told, { outputs, found: {} })).toBe(
    "The node reported an output that is made of other files",
  );
  expect(findContradiction(told, { outputs: { main: [{ uri, size: 1 }] }, found: {} })).toBeUndefined();
});
