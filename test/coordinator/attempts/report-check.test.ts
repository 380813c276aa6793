import { describe, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { findForeignFile } from "../../../coordinator/attempts/report-check.ts";
import { type Intent, type Output, output, type Published } from "../../../shared/work/work.ts";
import { aConnection, aCopy, aJob, anIntent, aReport, aSource } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

type Found = Published["found"][string];

const { world, farm, submit, report, toCopy } = useFarm();

const asking = (final: string, made = "main"): Intent => ({
  files: [{ output: made, temp: "file:///out/.t", final, size: 1, identity: "i", existing: "replace" }],
});
const making = (changes: Partial<Output> = {}) => ({
  assets: {},
  outputs: {
    main: output.parse({
      ...{ version: "v", folder: "file:///out", name: "a b.mp4", existing: "replace", ...changes },
    }),
  },
  steps: [],
});

describe("a task may publish", () => {
  test.each<[string, string, Partial<Output>]>([
    ["its file", "file:///out/a%20b.mp4", {}],
    ["its file below a folder that ends in a slash", "file:///out/a%20b.mp4", { folder: "file:///out/" }],
    ["under another name where the policy is to choose one", "file:///out/a%20b-1.mp4", { existing: "rename_new" }],
    ["files of its sequence", "file:///out/frame_0001.png", { isSequence: true, name: "frame_%04d.png" }],
    ["files of its package, in folders too", "s3://b/out/v1/seg_1.ts", { isPackage: true, folder: "s3://b/out" }],
  ])("%s", (_what, final, changes) => {
    expect(findForeignFile(asking(final), making(changes))).toBeUndefined();
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
  ])("%s", (_what, final, changes, made) => {
    const words = `The node asked to publish ${final}, which its task does not make`;
    expect(findForeignFile(asking(final, made), making(changes))).toBe(words);
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
