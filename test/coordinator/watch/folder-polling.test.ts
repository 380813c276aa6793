import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { submitJob } from "../../../coordinator/jobs/submit.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import { forgottenAfterMs } from "../../../coordinator/watch/gone-files.ts";
import type { FileSystem, FolderIdentity } from "../../../shared/files/folder-identity.ts";
import type { PollResponse } from "../../../shared/protocol/polling.ts";
import type { FolderFile } from "../../../shared/work/folder-watch.ts";
import { turns } from "../../helpers/clock.ts";
import { aConnection, aCopy } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { times } from "../../helpers/long.ts";

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

const disk: FileSystem = { device: 1, type: 61267, bytes: 500 };
const share: FileSystem = { device: 40, type: 26985, bytes: 9000 };

/** The folder is like this for so many seconds. */
const lies = async (
  node: FakeNode,
  there: readonly FolderFile[],
  seconds: number,
  place: FolderIdentity = { isThere: true, on: disk },
) => {
  for (let second = 0; second < seconds; second += 1) {
    await takeMessage(farm(), node.id, { type: "heartbeat" });
    await advance(1000);
    for (const message of await node.take()) {
      if (message.type !== "poll") continue;
      const answer: PollResponse = { what: "folder", files: [...there], isLast: true, place };
      await takeMessage(farm(), node.id, { type: "polled", id: message.id, response: answer });
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
  const ana = {
    owner: "Ana",
    owner_id: "person 7",
    owner_group: "dailies",
    origin: "pages",
    parent_id: null,
    traceparent: null,
  } as const;
  const { id: jobId } = await submitJob(farm(), aWatch({}, { priority: 7, user_tag: "t" }), undefined, {
    sender: ana,
    reach: "all",
  });
  await lies(node, files("old.mov"), 12);
  await lies(node, files("old.mov", "a.mov"), 20);
  await lies(node, files("old.mov", "a.mov", "b.mov"), 30);
  expect(children()).toEqual(["a.mov", "b.mov"]);
  expect(world().job(jobId)).toMatchObject({ status: "active", substatus: "waiting" });
  expect(stored(farm()).job(jobId + 1)).toMatchObject({
    ...{ priority: 7, user_tag: "t", owner: "Ana", origin: "watchfolder", parent_id: jobId },
  });
  expect(stored(farm()).all("SELECT counter FROM attempts WHERE task_id = 1")).toEqual([]);
});

test("explain says what is watched, what was taken and when the next look is", async () => {
  const node = await world().node(noSlots);
  await submit(aWatch());
  await lies(node, files("old.mov"), 3);
  await lies(node, files("old.mov", "a.mov"), 20);
  await lies(node, files("old.mov", "a.mov", "b.mov"), 6);
  const row = await farm().store.jobs.task(1);
  expect(row && explain(farm(), row, "all").summary).toMatch(
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
  const many = times(6, 30, 30);
  let node = await world().node(noSlots);
  await submit(aWatch());
  await lies(node, [], 3);
  for (let nr = 1; nr <= 4; nr += 1) {
    const there = Array.from({ length: nr * many }, (_, index) => file(`${index}.mov`));
    await lies(node, there, 4 + nr * 3); // sometimes in the midst of it
    await restart();
    node = await world().connect(node.id);
  }
  await lies(
    node,
    Array.from({ length: 4 * many }, (_, index) => file(`${index}.mov`)),
    30,
  );
  expect(children()).toHaveLength(4 * many);
  expect(new Set(children()).size).toBe(4 * many);
});

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
  expect([known(), farm().watchedFiles.size]).toEqual([[b], 1]);
  await stopJob(farm(), jobId);
  await advance(1000);
  expect(farm().watchedFiles.size).toBe(0);
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

const words = async (): Promise<string> => {
  const row = await farm().store.jobs.task(1);
  return row ? explain(farm(), row, "all").summary : "";
};

test("files of a share that is unmounted and mounted again begin no second job, tracked or not; the page says what is wrong", async () => {
  const node = await world().node(noSlots);
  const onShare: FolderIdentity = { isThere: true, on: share };
  for (const watch_items_persistence of ["tracked", "untracked"]) await submit(aWatch({ watch_items_persistence }));
  await lies(node, files("old.mov"), 3, onShare);
  await lies(node, files("old.mov", "a.mov", "b.mov"), 25, onShare);
  const taken = children();
  await lies(node, [], 25); // the empty folder that it is mounted on
  expect(await words()).toContain(
    "it is empty, and on another file system than its files were: check that its share is mounted",
  );
  await lies(node, [], 25, { isThere: false, on: disk });
  expect(await words()).toContain("there is no such folder now: check that its share is mounted");
  const again = { isThere: true, on: { ...share, device: 41 } };
  await lies(node, files("old.mov", "a.mov", "b.mov"), 30, again);
  expect([taken.length, children()]).toEqual([4, taken]);
  await lies(node, [], 25, again); // now they really leave
  expect(await words()).toContain("(it is empty; 2 taken");
  await lies(node, files("a.mov"), 30, again);
  expect(children()).toEqual([...taken, "a.mov"]); // the untracked one is taken again
});

test("an empty folder of a server tells nothing: untracked files are forgotten once others lie there", async () => {
  const node = await world().node(noSlots);
  await submit(aWatch({ watch_items_persistence: "untracked" }));
  const [there, gone] = [{ isThere: true }, { isThere: false }];
  await lies(node, [], 3, there);
  await lies(node, files("a.mov"), 25, there);
  await lies(node, [], 15, there);
  await lies(node, [], 15, gone);
  await lies(node, files("a.mov"), 25, there);
  expect(children()).toEqual(["a.mov"]);
  await lies(node, files("b.mov"), 25, there);
  await lies(node, files("a.mov", "b.mov"), 25, there);
  expect(children()).toEqual(["a.mov", "b.mov", "a.mov"]);
});

test("files of a share that was not mounted at the first look were there before; those of a new folder are new", async () => {
  const node = await world().node(noSlots);
  await submit(aWatch());
  await lies(node, [], 12, { isThere: false, on: disk });
  expect(await words()).toContain("there is no such folder yet; 0 taken");
  await restart();
  const again = await world().connect(node.id);
  await lies(again, files("old.mov"), 12, { isThere: true, on: share });
  await lies(again, files("old.mov", "a.mov"), 25, { isThere: true, on: share });
  expect(children()).toEqual(["a.mov"]);
});

test("files that come with their folder are new", async () => {
  const node = await world().node(noSlots);
  await submit(aWatch());
  await lies(node, [], 12, { isThere: false, on: disk });
  await lies(node, files("a.mov"), 25, { isThere: true, on: { ...disk, device: 2 } }); // the node has started anew
  expect(children()).toEqual(["a.mov"]);
});

test("one node goes on checking a folder, another one where it fails", async () => {
  const [one, other] = [await world().node(noSlots), await world().node(noSlots)];
  await submit(aWatch({ interval_sec: 1 }));
  const asked = async (answer: PollResponse): Promise<number> => {
    for (let second = 0; second < 40; second += 1) {
      await advance(1000);
      for (const [index, node] of [one, other].entries()) {
        await takeMessage(farm(), node.id, { type: "heartbeat" });
        const look = (await node.take()).find((message) => message.type === "poll");
        if (!look) continue;
        await takeMessage(farm(), node.id, { type: "polled", id: look.id, response: answer });
        await turns();
        return index;
      }
    }
    return -1;
  };
  const fine: PollResponse = { what: "folder", files: [], isLast: true, place: { isThere: true, on: disk } };
  const failed: PollResponse = { what: "failure", failure: { cause: "storage", message: "the share is gone" } };
  const looks: number[] = [];
  for (const answer of [fine, fine, fine, failed, failed, fine, fine]) looks.push(await asked(answer));
  expect(looks).toEqual([0, 0, 0, 0, 1, 0, 0]);
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
  if (look?.type !== "poll") throw new Error("no look was asked for");
  const failure = { cause: "storage", message: "the share is gone" } as const;
  await takeMessage(farm(), node.id, { type: "polled", id: look.id, response: { what: "failure", failure } });
  const row = await farm().store.jobs.task(1);
  expect(row && explain(farm(), row, "all").summary).toContain("(the share is gone)");
  await lies(node, [], 35);
  await lies(node, files("a.mov"), 20);
  expect(children()).toEqual(["a.mov"]);
});

test("a node that lists files of other folders begins no jobs with them, and is quarantined", async () => {
  const node = await world().node(noSlots);
  await submit(aWatch({ interval_sec: 1 }));
  await lies(node, [], 3);
  const outside = ["/private/film.mov", "/in/../private/film.mov", "/in/%2e%2e/private/film.mov"];
  const foreign = outside.map((path) => ({ uri: `file://${path}`, size: 10, modified: 10 }));
  await lies(node, [...files("a.mov"), ...foreign], 200);
  expect(children()).toEqual([]);
  expect(farm().registry.row(node.id)?.health).toMatchObject({
    state: "quarantined",
    why: expect.stringContaining("listed file:///private/film.mov, which is not in file:///in"),
  });
});

test("a listing without an end is not kept", async () => {
  const node = await world().node(noSlots);
  const jobId = await submit(aWatch());
  await advance(1000);
  const asked = (await node.take()).find(({ type }) => type === "poll");
  if (asked?.type !== "poll") throw new Error("it was asked nothing");
  const many = Array.from({ length: 10_000 }, (_, nr) => file(`${nr}.mov`));
  const response = { what: "folder", files: many, isLast: false } as const;
  for (let nr = 0; nr < 15; nr += 1) await takeMessage(farm(), node.id, { type: "polled", id: asked.id, response });
  const [wait] = farm().polls.all();
  expect([wait?.task.jobId, wait?.listed.length]).toEqual([jobId, 0]);
});
