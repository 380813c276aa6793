import { expect, onTestFinished, test, vi } from "vitest";
import { foldEvents } from "../../renderer/data/batch.ts";
import { createNoticeFinder, type FarmNotice, tellNotices } from "../../renderer/data/notices.ts";
import type { FarmEvent } from "../../shared/api/events.ts";
import type { JobInfo } from "../../shared/model/job-info.ts";
import type { Node } from "../../shared/model/node.ts";
import { aJobInfo } from "../helpers/pages/job-row.ts";

const begun = Date.parse("2026-11-22T14:00:00.000Z");
const after = (seconds: number): string => new Date(begun + 1000 * seconds).toISOString();

const job = (id: string, more: Partial<JobInfo>): FarmEvent => ({
  type: "job.changed",
  job: aJobInfo(id, {
    ...{ status: "failed", substatus: null, creation_time: after(-90), start_time: after(-80), end_time: after(5) },
    ...more,
  }),
});
const node = (id: string, more: Partial<Node> = {}): Node => ({
  ...{ id, name: `vfx-0${id}`, state: "active", presence: "online", tags: [], group: null, slots: 2, running: [] },
  health: { state: "sound", until: null, why: null },
  ...{ lending: null, platform: "posix", machine: { cpu: "", cores: 1, memory: 1, os: "" }, ffmpeg: null },
  ...{ version: "0.1.0", clock_offset: 0, roots: [], mounts: [], enrolled: after(-900), last_seen: after(0) },
  ...more,
});

test("a job's end is told once, and what ended before the page was open is not", () => {
  const find = createNoticeFinder(begun);
  const failed = job("8", { error: "src: moov atom not found" });
  const batch = foldEvents([failed, job("7", { end_time: after(-5) }), job("6", { substatus: "stopped" })]);
  expect(find(batch, [])).toEqual([{ kind: "failed", text: "job 8 failed: moov atom not found", address: "#/jobs/8" }]);
  expect(find(foldEvents([failed]), [])).toEqual([]);
  expect(find(foldEvents([job("8", { status: "completed", end_time: after(60) })]), [])).toEqual([
    { kind: "completed", text: "job 8 completed", address: "#/jobs/8" },
  ]);
});

test("many of a kind are one notice that leads to their list", () => {
  const find = createNoticeFinder(begun);
  const batch = foldEvents([job("8", { status: "completed" }), job("9", { status: "completed" })]);
  expect(find(batch, [])).toEqual([
    { kind: "completed", text: "2 jobs completed, like job 8", address: "#/jobs?state=completed" },
  ]);
});

test("a node is told of when it becomes lost, not while it is", () => {
  const find = createNoticeFinder(begun);
  const batch = foldEvents([{ type: "node.changed", node: node("3", { presence: "lost" }) }]);
  expect(find(batch, [node("3")])).toEqual([{ kind: "lost", text: "vfx-03 is lost", address: "#/nodes/3" }]);
  expect(find(batch, [node("3", { presence: "lost" })])).toEqual([]);
  expect(find(batch, [])).toEqual([]);
});

test("a browser that shows no notices outside of its page shows them in it", () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("document", { visibilityState: "hidden", hasFocus: () => false });
  // As Chrome on Android does, where only service workers may.
  const Notification = Object.assign(
    class {
      constructor() {
        throw new TypeError("Illegal constructor");
      }
    },
    { permission: "granted" },
  );
  vi.stubGlobal("Notification", Notification);
  const said: string[] = [];
  const failed: FarmNotice = { kind: "failed", text: "job 8 failed", address: "#/jobs/8" };
  tellNotices([failed], (text) => said.push(text));
  expect(said).toEqual(["job 8 failed."]);
});

test("nobody is told of the job whose page they look at", () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("document", { visibilityState: "visible", hasFocus: () => true });
  vi.stubGlobal("location", { hash: "#/jobs/8?task=4" });
  const said: string[] = [];
  const failed = (id: string): FarmNotice => ({ kind: "failed", text: `job ${id} failed`, address: `#/jobs/${id}` });
  tellNotices([failed("8"), failed("88")], (text) => said.push(text));
  expect(said).toEqual(["job 88 failed."]);
});
