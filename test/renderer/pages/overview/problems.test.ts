import { expect, test } from "vitest";
import { findProblems, headline } from "../../../../renderer/pages/overview/problems.ts";
import { obstacleOf } from "../../../../shared/api/explain.ts";
import type { UiJobRow } from "../../../../shared/api/job-view.ts";
import type { Overview } from "../../../../shared/api/overview.ts";
import type { Node } from "../../../../shared/model/node.ts";
import { aJobRow } from "../../../helpers/pages/job-row.ts";

const now = Date.parse("2026-11-22T14:00:00.000Z");
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

const job = (id: string, more: Partial<UiJobRow>): UiJobRow =>
  aJobRow(id, {
    ...{ status: "failed", substatus: null, progress: 0 },
    ...{ creation_time: ago(90), start_time: ago(80), end_time: ago(10) },
    task_counts: { queued: 0, running: 0, completed: 0, failed: 1, stopped: 0 },
    ...more,
  });
const nothing: Overview = {
  ...{ now: ago(0), oldest_ready: null, waits: [0, 0, 0, 0, 0], failures: [], stuck: [], failed: [], failed_count: 0 },
  throughput: { parts: [], last_hour: 0, hour_before: 0, since: ago(720) },
  ...{
    held: [],
    waiting: [],
    active: [],
    active_count: 0,
    node_actions: [],
    acknowledged: [],
    empty: null,
    unknown: 0,
  },
};
const node = (more: Partial<Node>): Node => ({
  ...{ id: "3", name: "vfx-03", state: "active", presence: "online", tags: [], group: null, slots: 2, running: [] },
  health: { state: "sound", until: null, why: null },
  ...{ lending: null, platform: "posix", machine: { cpu: "", cores: 1, memory: 1, os: "" }, ffmpeg: null },
  ...{ version: "0.1.0", clock_offset: 0, roots: [], mounts: [], enrolled: ago(900), last_seen: ago(4) },
  ...more,
});
const told = (overview: Partial<Overview>, nodes: Node[] = []) =>
  findProblems({ ...nothing, ...overview }, nodes, now).map(({ state, title, text, act }) => [
    state,
    title,
    text,
    act.kind,
  ]);

test("a quiet farm needs nobody", () => {
  expect(told({}, [node({})])).toEqual([]);
});

test("jobs that failed alike are one line, which retries all of them", () => {
  const error = (card: string) => `src: moov atom not found in /cards/${card}.mov`;
  const failed = [job("8", { error: error("A021") }), job("9", { error: error("A022") })];
  expect(told({ failed })).toEqual([
    ["failed", "2 jobs, like job 8", "moov atom not found in /cards/A021.mov", "retry"],
  ]);
});

test("what failed alike leads to a list of exactly that, and all are counted though they are many", () => {
  const failed = Array.from({ length: 60 }, (_, at) => job(`${at}`, { error: `no such file: /in/reel_${at}.mov` }));
  const [found] = findProblems({ ...nothing, failed: [...failed, job("99", { error: "No node has it" })] }, [], now);
  expect([found?.title, found?.to]).toEqual(["60 jobs, like job 0", { jobs: "failed", text: "no such file:" }]);
});

test("what one person paused is one line that leads to all of it and lets it go on", () => {
  const happening = (who: string) => {
    const entry = { at: ago(5), who, action: "pause", job_id: "1", node_id: null, note: "new end card" } as const;
    return { running: null, waiting: null, retry: null, held: { since: ago(5), until: null }, last_action: entry };
  };
  const paused = (id: string, who: string) =>
    job(id, { status: "active", substatus: "paused", end_time: null, happening: happening(who) });
  const found = findProblems(
    { ...nothing, held: [paused("7", "Mira"), paused("8", "Jan"), paused("9", "Mira")] },
    [],
    now,
  );
  expect(found.map(({ title, to, act }) => [title, to, act])).toEqual([
    ["2 jobs, like job 7", { jobs: "paused" }, { kind: "resume", jobIds: ["7", "9"] }],
    ["job 8", { jobId: "8" }, { kind: "resume", jobIds: ["8"] }],
  ]);
});

test("a silent node says how long, a drained one who drained it and why", () => {
  const entry = { at: ago(60), who: "Mira", action: "drain", job_id: null, node_id: "4", note: "new disk" } as const;
  const nodes = [node({ presence: "lost" }), node({ id: "4", name: "rack-04", state: "drain" })];
  const [lost, drained] = told({ node_actions: [entry] }, nodes);
  expect(lost).toEqual(["lost", "vfx-03", expect.stringMatching(/^Silent for 4 min\. Its tasks were given/), "node"]);
  expect(drained).toEqual(["draining", "rack-04", expect.stringMatching(/^Drained by Mira: “new disk”, /), "activate"]);
});

test("forty nodes that are lost are one line that leads to all, and a node that is off is none", () => {
  const lost = Array.from({ length: 40 }, (_, at) => node({ id: `${at}`, name: `vfx-${at}`, presence: "lost" }));
  const off = node({ id: "99", presence: "off" });
  const [found, ...others] = findProblems(nothing, [...lost, off], now);
  expect(others).toEqual([]);
  expect([found?.title, found?.to, found?.subjects.length]).toEqual(["40 nodes, like vfx-0", { nodes: "lost" }, 40]);
});

test("what somebody acknowledged says who, until one more is wrong or the same is wrong again", () => {
  const lost = (id: string, seen = ago(4)) => node({ id, name: `vfx-${id}`, presence: "lost", last_seen: seen });
  const entry = (id: string) => ({
    ...{ subject: `node ${id} lost ${ago(4)}`, who: "Mira", at: ago(3), until: ago(-60), why: "new switch" },
  });
  const overview = { ...nothing, acknowledged: [entry("1"), entry("2")] };
  const knownBy = (nodes: Node[]) => findProblems(overview, nodes, now).map(({ known }) => known?.who);
  expect(knownBy([lost("1"), lost("2")])).toEqual(["Mira"]);
  expect(knownBy([lost("1"), lost("2"), lost("3")])).toEqual([undefined]);
  expect(knownBy([lost("1", ago(1))])).toEqual([undefined]);
});

test("jobs that wait for the same are one line, and a node whose full disk stops it is told of", () => {
  const ahead = (count: number) => ({ ...obstacleOf("ahead", { count }), nodes: 0 });
  const offline = { ...obstacleOf("offline"), nodes: 2 };
  const waiting = (id: string, count: number) => {
    const why = { task_id: id, message: "2 nodes are not connected.", parts: [offline, ahead(count)] };
    const happening = { running: null, waiting: why, retry: null, held: null, last_action: null };
    return job(id, { status: "active", substatus: "waiting", end_time: null, happening });
  };
  const disk = { state: "diskLow", why: "The disk /srv is nearly full.", takes: false, suspended: true } as const;
  const full = node({ lending: { ...disk, until: null, load: null, battery: null } });
  expect(told({ waiting: [waiting("8", 1), waiting("9", 2)] }, [full])).toEqual([
    ["paused", "vfx-03", "The disk /srv is nearly full.", "node"],
    ["waiting", "2 jobs, like job 8", "2 nodes are not connected.", "why"],
  ]);
  const other = { ...full, id: "4", name: "vfx-04" };
  expect(told({}, [full, other])).toEqual([
    ["paused", "2 nodes, like vfx-03", "The disk /srv is nearly full.", "nodes"],
  ]);
});

test("what waits for long says why, what waits shortly does not", () => {
  const waiting = { task_id: "7", message: "All of its slots are taken", parts: [] };
  const happening = { running: null, waiting, retry: null, held: null, last_action: null };
  const open = { status: "active", substatus: "waiting", end_time: null, happening } as const;
  expect(told({ waiting: [job("8", open), job("9", { ...open, creation_time: ago(1) })] })).toEqual([
    ["waiting", "job 8", "All of its slots are taken.", "why"],
  ]);
});

test("the page's sentence says whether work moves and when it ends", () => {
  const say = (running: number, ready: number, likely?: string) =>
    headline({ overview: nothing, running, ready, likely });
  expect([say(0, 0), say(0, 3), say(4, 3), say(4, 3, "17:15")]).toEqual([
    ...["Nothing to do.", "Standing still: 3 tasks ready, none running.", "Moving."],
    "Moving. The queue is empty around 17:15.",
  ]);
});
