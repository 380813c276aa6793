import { afterEach, describe, expect, test } from "vitest";
import type { CheckpointName } from "../../../agent/checkpoint.ts";
import { providers } from "../../../agent/storage/index.ts";
import { createKeys } from "../../../agent/storage/keys.ts";
import { choosePublishMode } from "../../../agent/storage/publish-mode.ts";
import { abilities as has } from "../../../shared/files/storage.ts";
import type { ExistingFiles } from "../../../shared/work/work.ts";
import { fenceOf, noRemotes } from "../../helpers/agent/agent-fixture.ts";
import { aPublishStory, type Story, toPublish } from "../../helpers/agent/publish-story.ts";
import { type TestStorageKind, testStorageKinds } from "../../helpers/agent/storages.ts";
import { share } from "../../helpers/long.ts";

let story: Story;
afterEach(() => story.end());

const first = fenceOf(1);
const policies: readonly ExistingFiles[] = [
  "fail",
  "replace",
  "replace_late",
  "delete_and_replace",
  "rename_new",
  "rename_org",
];

/** What is seen where somebody's file was there before. */
const shownBeside: Record<ExistingFiles, Record<string, string>> = {
  fail: { "a.mp4": "theirs" },
  replace: { "a.mp4": "ours" },
  replace_late: { "a.mp4": "ours" },
  delete_and_replace: { "a.mp4": "ours" },
  rename_new: { "a.mp4": "theirs", "a_1.mp4": "ours" },
  rename_org: { "a.mp4": "ours", "a_org_1.mp4": "theirs" },
};

const canRename = (kind: TestStorageKind): boolean => kind === "file" || kind === "moving";
const possible = (kind: TestStorageKind) => policies.filter((each) => each !== "rename_org" || canRename(kind));

/** Of storage that lacks an ability; those that are named lack nothing of it. */
const weaker = (kind: TestStorageKind, existing: ExistingFiles): string[] => {
  const half = kind === "copying" ? ["half_visible"] : [];
  const isFree = existing === "fail" || existing === "rename_new";
  if (isFree) return kind === "file" || kind === "conditional" ? half : ["may_overwrite", ...half];
  return kind === "moving" || kind === "copying" ? ["gap", ...half] : half;
};

const crashes: readonly CheckpointName[] = ["intended", "granted", "linked", "published"];

/** The one that can do most, and the one that can do least. */
const ends: readonly TestStorageKind[] = ["file", "copying"];

describe.each(share(testStorageKinds, (kind) => ends.includes(kind)))("storage that is %s", (kind) => {
  test("a file is seen once it is granted, under its name, with nothing left beside it", async () => {
    story = await aPublishStory(kind);
    const node = await story.life({ grants: false });
    node.attempts.assign(toPublish(story));
    await node.intent();
    expect(await story.seen()).toEqual({});
    node.attempts.granted(first);
    const { outcome } = await node.report(first);
    if (outcome.outcome !== "published") throw new Error(outcome.failure.message);
    expect(outcome.published.outputs.main).toMatchObject([{ uri: `${story.folder}/a.mp4`, size: 4 }]);
    expect(outcome.published.weaker ?? []).toEqual(weaker(kind, "fail"));
    expect([await story.seen(), await story.hidden()]).toEqual([{ "a.mp4": "ours" }, []]);
  });

  test.each(policies)("where a file is there before, %s does as it says", async (existing) => {
    story = await aPublishStory(kind);
    await story.put("a.mp4", "theirs");
    const node = await story.life();
    node.attempts.assign(toPublish({ ...story, output: { existing } }));
    const { outcome } = await node.report(first);
    if (existing === "fail") expect(outcome).toMatchObject({ failure: { cause: "definition" } });
    if (existing === "rename_org" && !canRename(kind)) {
      const message = "existing_files is rename_org, but the storage of the target cannot rename files";
      expect(outcome).toEqual({ outcome: "failed", failure: { cause: "definition", message } });
      expect(await story.seen()).toEqual({ "a.mp4": "theirs" });
    } else expect(await story.seen()).toEqual(shownBeside[existing]);
    expect(await story.hidden()).toEqual([]);
  });

  test.each(possible(kind))("where a file appears meanwhile, %s loses neither", async (existing) => {
    story = await aPublishStory(kind);
    const node = await story.life({ at: { granted: () => appear() } });
    let hasAppeared = false;
    const appear = async () => {
      if (!hasAppeared) await story.put("a.mp4", "theirs");
      hasAppeared = true;
    };
    node.attempts.assign(toPublish({ ...story, output: { existing } }));
    const { outcome } = await node.report(first);
    expect(outcome.outcome).toBe(existing === "fail" ? "failed" : "published");
    expect([await story.seen(), await story.hidden()]).toEqual([shownBeside[existing], []]);
  });

  test.each(possible(kind).flatMap((existing) => crashes.map((dies) => [dies, existing] as const)))(
    "after a crash when it was %s, %s is rolled forward by the next life",
    async (dies, existing) => {
      story = await aPublishStory(kind);
      if (existing !== "fail") await story.put("a.mp4", "theirs");
      const mortal = await story.life({ dies });
      mortal.attempts.assign(toPublish({ ...story, output: { existing } }));
      await mortal.dead;
      const next = await story.life();
      await next.resume();
      expect((await next.report(first)).outcome.outcome).toBe("published");
      const seen = existing === "fail" ? { "a.mp4": "ours" } : shownBeside[existing];
      expect([await story.seen(), await story.hidden()]).toEqual([seen, []]);
    },
  );

  test.each<CheckpointName>(["recorded", "staged", "made"])(
    "of an attempt that died before its intent, when it was %s, nothing is left",
    async (dies) => {
      story = await aPublishStory(kind);
      const mortal = await story.life({ dies });
      mortal.attempts.assign(toPublish(story));
      const staged = dies !== "staged" || kind !== "file"; // files are made where they wait
      if (!staged) return expect((await mortal.report(first)).outcome.outcome).toBe("published");
      await mortal.dead;
      const next = await story.life();
      expect(next.attempts.statuses()).toEqual([]);
      expect([await story.seen(), await story.hidden()]).toEqual([{}, []]);
    },
  );

  test("what a node was granted before it vanished is shown by another one, which makes nothing anew", async () => {
    story = await aPublishStory(kind);
    const lost = await story.life({ dies: "linked" });
    lost.attempts.assign(toPublish(story));
    const previousIntent = await lost.intent();
    await lost.dead;
    const other = await story.life({ name: "two" });
    other.attempts.assign(toPublish({ ...story, counter: 2, words: ["=other"], previousIntent }));
    expect((await other.report(fenceOf(2))).outcome.outcome).toBe("published");
    expect([await story.seen(), await story.hidden()]).toEqual([{ "a.mp4": "ours" }, []]);
  });

  test("two nodes that show the same grant at the same time end well, and it is shown once", async () => {
    story = await aPublishStory(kind);
    const lost = await story.life({ grants: false });
    lost.attempts.assign(toPublish(story));
    const previousIntent = await lost.intent();
    const other = await story.life({ name: "two" });
    other.attempts.assign(toPublish({ ...story, counter: 2, words: ["=other"], previousIntent }));
    await other.intent();
    lost.attempts.granted(first);
    const reports = await Promise.all([lost.report(first), other.report(fenceOf(2))]);
    expect(reports.map(({ outcome }) => outcome.outcome)).toEqual(["published", "published"]);
    expect([await story.seen(), await story.hidden()]).toEqual([{ "a.mp4": "ours" }, []]);
  });

  test("what was granted and is gone is made anew once", async () => {
    story = await aPublishStory(kind);
    const node = await story.life({ grants: false });
    node.attempts.assign(toPublish(story));
    const { files } = await node.intent();
    const temp = files[0]?.temp ?? "";
    await story.lose(temp);
    node.attempts.granted(first);
    await node.commits(2);
    node.attempts.granted(first);
    const report = await node.report(first);
    expect(report.log).toContain(`Starting over: ${temp} is missing or has changed`);
    expect([await story.seen(), await story.hidden()]).toEqual([{ "a.mp4": "ours" }, []]);
  });

  test("what is made in a temporary folder comes to lie beside its target before it is seen", async () => {
    story = await aPublishStory(kind);
    const temp = { folder: story.temp, prefix: "x-" };
    const node = await story.life({ at: { staged: async () => expect(await story.seen()).toEqual({}) } });
    node.attempts.assign(toPublish({ ...story, output: { temp } }));
    expect((await node.report(first)).outcome.outcome).toBe("published");
    expect([await story.seen(), await story.hidden(), await story.temps()]).toEqual([{ "a.mp4": "ours" }, [], []]);
  });

  test.each<CheckpointName>(["recorded", "staged", "made"])(
    "an attempt that died when it was %s leaves nothing in its temporary folder either",
    async (dies) => {
      story = await aPublishStory(kind);
      const mortal = await story.life({ dies });
      mortal.attempts.assign(
        toPublish({ ...story, ...aPackage, output: { ...aPackage.output, temp: { folder: story.temp } } }),
      );
      await mortal.dead;
      expect([...(await story.temps()), ...(await story.hidden())].length).toBeGreaterThan(
        dies === "recorded" ? -1 : 0,
      );
      await story.life();
      expect([await story.seen(), await story.hidden(), await story.temps()]).toEqual([{}, [], []]);
    },
  );

  const aPackage = {
    words: ["seg_10.ts=ten", "seg_2.ts=two", "low/media.m3u8=names low/a.ts", "low/a.ts=a", "main.m3u8=names all"],
    output: { name: "main.m3u8", isPackage: true },
  };
  const whole = {
    "low/a.ts": "a",
    "low/media.m3u8": "names low/a.ts",
    "main.m3u8": "names all",
    "seg_10.ts": "ten",
    "seg_2.ts": "two",
  };

  test("a package is shown leaves first, playlists next and the one that names all of them last", async () => {
    story = await aPublishStory(kind);
    const node = await story.life();
    node.attempts.assign(toPublish({ ...story, ...aPackage }));
    const order = (await node.intent()).files.map(({ final }) => final.slice(story.folder.length + 1));
    expect(order).toEqual(["low/a.ts", "seg_2.ts", "seg_10.ts", "low/media.m3u8", "main.m3u8"]);
    expect((await node.report(first)).outcome.outcome).toBe("published");
    expect([await story.seen(), await story.hidden()]).toEqual([whole, []]);
  });

  test("pictures in a row are shown in the order of their numbers, and half of them are completed after a crash", async () => {
    story = await aPublishStory(kind);
    const words = ["p_1.png=one", "p_10.png=ten", "p_2.png=two"];
    const mortal = await story.life({ dies: "linked", turn: 2 });
    mortal.attempts.assign(toPublish({ ...story, words, output: { name: "p_%d.png", isSequence: true } }));
    const order = (await mortal.intent()).files.map(({ final }) => final.slice(story.folder.length + 1));
    expect(order).toEqual(["p_1.png", "p_2.png", "p_10.png"]);
    await mortal.dead;
    const half = Object.keys(await story.seen());
    expect([["p_1.png"], ["p_1.png", "p_2.png"]]).toContainEqual(half);
    const next = await story.life();
    await next.resume();
    expect((await next.report(first)).outcome.outcome).toBe("published");
    const whole = { "p_1.png": "one", "p_10.png": "ten", "p_2.png": "two" };
    expect([await story.seen(), await story.hidden()]).toEqual([whole, []]);
  });

  test("half a package that a crash left is completed, and no playlist is seen before that", async () => {
    story = await aPublishStory(kind);
    const mortal = await story.life({ dies: "linked", turn: 3 });
    mortal.attempts.assign(toPublish({ ...story, ...aPackage }));
    await mortal.dead;
    const half = Object.keys(await story.seen());
    expect(half.length).toBeGreaterThan(1);
    expect(half.filter((name) => name.endsWith(".m3u8"))).toEqual([]);
    const next = await story.life();
    await next.resume();
    expect((await next.report(first)).outcome.outcome).toBe("published");
    expect([await story.seen(), await story.hidden()]).toEqual([whole, []]);
  });

  test("a package that meets somebody's file half way takes back what it had shown", async () => {
    story = await aPublishStory(kind);
    const node = await story.life({ at: { granted: () => story.put("seg_10.ts", "theirs") } });
    node.attempts.assign(toPublish({ ...story, ...aPackage }));
    expect((await node.report(first)).outcome).toMatchObject({ failure: { cause: "definition" } });
    expect([await story.seen(), await story.hidden()]).toEqual([{ "seg_10.ts": "theirs" }, []]);
  });
});

test("a provider has what it says that it can do, and what it cannot do is said of its results", async () => {
  story = await aPublishStory("file");
  for (const { abilities, open } of Object.values(providers)) {
    const storage = open({
      locate: (uri) => uri,
      roots: {} as never,
      checkpoint: async () => undefined,
      keys: createKeys([]),
      ...noRemotes,
    });
    expect([storage.create !== undefined, storage.setAside !== undefined]).toEqual([
      abilities.createOnly,
      abilities.rename,
    ]);
  }
  const nothing = has();
  expect(choosePublishMode("fail", nothing)).toEqual({
    act: "check_and_replace",
    weaker: ["may_overwrite", "half_visible"],
  });
  expect(choosePublishMode("replace", nothing)).toEqual({ act: "replace", weaker: ["gap", "half_visible"] });
});
