import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/nodes/messages.ts";
import { explain } from "../../../coordinator/work/explain.ts";
import { forgottenAfterMs } from "../../../coordinator/work/gone-files.ts";
import { stopJob } from "../../../coordinator/work/stop.ts";
import type { Answer } from "../../../shared/looks.ts";
import type { FolderFile } from "../../../shared/watching.ts";
import { turns } from "../../helpers/clock.ts";
import { aConnection, aCopy } from "../../helpers/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm-story.ts";
import { stored } from "../../helpers/stored.ts";

const { world, farm, submit, advance, restart } = useFarm();

const aWatch = (settings: object = {}, more: object = {}) => ({
  name: "dailies",
  payload: {
    elements: [
      {
        uid: "watch",
        kind: "watchfolder",
        payload: { source: { path: "/in" }, settings: { interval_sec: 10, ...settings } },
      },
      aCopy(),
    ],
    connections: [aConnection("watch", ["copy"])],
  },
  ...more,
});

const file = (name: string, size = 10): FolderFile => ({ uri: `file:///in/${name}`, size, modified: size });
const files = (...names: readonly string[]) => names.map((name) => file(name));

/** The folder is like this for so many seconds. */
const lies = async (node: FakeNode, there: readonly FolderFile[], seconds: number) => {
  for (let second = 0; second < seconds; second += 1) {
    await takeMessage(farm(), node.id, { type: "heartbeat" });
    await advance(1000);
    for (const message of await node.take()) {
      if (message.type !== "look") continue;
      const answer: Answer = { what: "folder", files: [...there], isLast: true };
      await takeMessage(farm(), node.id, { type: "looked", look: message.look, answer });
      await turns();
    }
  }
};

const children = (): string[] =>
  stored(farm())
    .all<{ name: string }>("SELECT name FROM jobs WHERE name LIKE 'dailies: %' ORDER BY id")
    .map(({ name }) => name.replace("dailies: ", ""));

const noSlots = { slots: 0 };

test("each file that comes begins one child job; what lay there before does not", async () => {
  const node = await world().node(noSlots);
  const jobId = await submit(aWatch({}, { priority: 7, user_tag: "t" }));
  await lies(node, files("old.mov"), 12);
  await lies(node, files("old.mov", "a.mov"), 20);
  await lies(node, files("old.mov", "a.mov", "b.mov"), 30);
  expect(children()).toEqual(["a.mov", "b.mov"]);
  expect(world().job(jobId)).toMatchObject({ status: "active", substatus: "waiting" });
  expect(stored(farm()).job(jobId + 1)).toMatchObject({ priority: 7, user_tag: "t" });
  expect(stored(farm()).all("SELECT counter FROM attempts WHERE task_id = 1")).toEqual([]);
});

test("explain says what is watched, what was taken and when the next look is", async () => {
  const node = await world().node(noSlots);
  await submit(aWatch());
  await lies(node, files("old.mov"), 3);
  await lies(node, files("old.mov", "a.mov"), 20);
  await lies(node, files("old.mov", "a.mov", "b.mov"), 6);
  const row = await farm().store.jobs.task(1);
  expect(row && explain(farm(), row).summary).toMatch(
    /^It watches file:\/\/\/in \(1 taken, 1 may still grow, 1 lay there before\); the next look is (at 2026-|due)/,
  );
});

test("existing files are taken where the job says so", async () => {
  const node = await world().node(noSlots);
  await submit(aWatch({ process_existing_files: true }));
  await lies(node, files("old.mov"), 8);
  expect(children()).toEqual(["old.mov"]);
});

test("nothing is missed or repeated over restarts", async () => {
  let node = await world().node(noSlots);
  await submit(aWatch());
  await lies(node, [], 3);
  for (let nr = 1; nr <= 4; nr += 1) {
    const there = Array.from({ length: nr * 30 }, (_, index) => file(`${index}.mov`));
    await lies(node, there, 4 + nr * 3); // sometimes in the midst of it
    await restart();
    node = await world().connect(node.id);
  }
  await lies(
    node,
    Array.from({ length: 120 }, (_, index) => file(`${index}.mov`)),
    30,
  );
  expect(children()).toHaveLength(120);
  expect(new Set(children()).size).toBe(120);
}, 60_000);

test("a stopped watchfolder takes nothing more; its children go on", async () => {
  const node = await world().node(noSlots);
  const jobId = await submit(aWatch());
  await lies(node, [], 3);
  await lies(node, files("a.mov"), 20);
  await stopJob(farm(), jobId);
  await lies(node, files("a.mov", "b.mov"), 30);
  expect(children()).toEqual(["a.mov"]);
  expect(world().job(jobId)).toMatchObject({ status: "failed", substatus: "stopped" });
  expect(world().job(jobId + 1)).toMatchObject({ status: "active" });
});

test("a key remembers beyond the job: the next one takes what came since, and nothing twice", async () => {
  const node = await world().node(noSlots);
  const first = await submit(aWatch({ key: "k" }));
  await lies(node, files("old.mov"), 12);
  await lies(node, files("old.mov", "a.mov"), 20);
  await stopJob(farm(), first);
  await submit(aWatch({ key: "k" }));
  await lies(node, files("old.mov", "a.mov", "b.mov"), 20);
  expect(children()).toEqual(["a.mov", "b.mov"]);
});

test("two jobs with one key share what they take", async () => {
  const node = await world().node(noSlots);
  await submit(aWatch({ key: "k" }));
  await submit(aWatch({ key: "k" }));
  await lies(node, [], 3);
  await lies(node, files("a.mov", "b.mov"), 30);
  expect(children().sort()).toEqual(["a.mov", "b.mov"]);
});

test("two jobs without a key watch one folder on their own: each takes every file, but none that is still written", async () => {
  const node = await world().node(noSlots);
  for (let nr = 0; nr < 2; nr += 1) await submit(aWatch());
  await lies(node, [], 3);
  await lies(node, files("a.mov", "b.mov.part"), 30);
  await lies(node, files("a.mov", "b.mov"), 30);
  expect(children().sort()).toEqual(["a.mov", "a.mov", "b.mov", "b.mov"]);
});

test("a tracked file is forgotten once it has been away for 90 days, and not before; what nobody watches leaves memory", async () => {
  const node = await world().node(noSlots);
  const jobId = await submit(aWatch({ key: "dailies" }));
  const known = () => stored(farm()).all("SELECT uri FROM watched_files WHERE uri <> '' ORDER BY uri");
  const [a, b] = [{ uri: "file:///in/a.mov" }, { uri: "file:///in/b.mov" }];
  await lies(node, [], 3);
  await lies(node, files("a.mov", "b.mov"), 20);
  await lies(node, files("b.mov"), 20);
  await world().clock.advance(forgottenAfterMs / 2);
  await lies(node, files("a.mov", "b.mov"), 20); // it comes back once: its time begins anew
  await lies(node, files("b.mov"), 20);
  await world().clock.advance(forgottenAfterMs / 2);
  await lies(node, files("b.mov"), 20);
  expect([known(), farm().values.counters.jobs - jobId]).toEqual([[a, b], 2]); // none was taken twice
  await world().clock.advance(forgottenAfterMs / 2);
  await lies(node, files("b.mov"), 20);
  expect([known(), farm().watches.size]).toEqual([[b], 1]);
  await stopJob(farm(), jobId);
  await advance(1000);
  expect(farm().watches.size).toBe(0);
});

test("a tracked file that comes back as it was is not taken again; an untracked one is", async () => {
  const node = await world().node(noSlots);
  for (const watch_items_persistence of ["tracked", "untracked"])
    await submit(aWatch({ watch_items_persistence }, { name: `dailies: ${watch_items_persistence}` }));
  await lies(node, [], 3);
  await lies(node, files("a.mov"), 25);
  await lies(node, [], 25);
  await lies(node, files("a.mov"), 30);
  const names = children().filter((name) => name.includes("a.mov"));
  expect(names.sort()).toEqual(["tracked: a.mov", "untracked: a.mov", "untracked: a.mov"]);
});

test("a graph that gives no child job fails at the first look, in words", async () => {
  const node = await world().node(noSlots);
  const { payload } = aWatch();
  const jobId = await submit({ name: "wrong", payload: { elements: payload.elements } });
  await lies(node, [], 3);
  expect(stored(farm()).tasks(jobId)[0]).toMatchObject({
    state: "failed",
    failure: { cause: "definition", message: "watch: no element is connected behind the watchfolder" },
  });
});

test("a folder that cannot be reached is looked at again, and said so", async () => {
  const node = await world().node(noSlots);
  await submit(aWatch());
  await advance(1000);
  const [look] = await node.take();
  if (look?.type !== "look") throw new Error("no look was asked for");
  const failure = { cause: "storage", message: "the share is gone" } as const;
  await takeMessage(farm(), node.id, { type: "looked", look: look.look, answer: { what: "failure", failure } });
  const row = await farm().store.jobs.task(1);
  expect(row && explain(farm(), row).summary).toContain("(the share is gone)");
  await lies(node, [], 35);
  await lies(node, files("a.mov"), 20);
  expect(children()).toEqual(["a.mov"]);
});
