import fc from "fast-check";
import { expect, test } from "vitest";
import { takeInvalidMessage, takeMessage } from "../../../coordinator/connections/messages.ts";
import { readMessage } from "../../../coordinator/connections/read-message.ts";
import { deleteJobs } from "../../../coordinator/jobs/stop.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { type AgentMessage, type Assignment, maxMessageBytes } from "../../../shared/protocol/messages.ts";
import {
  aFailure,
  aFolder,
  aJob,
  anIntent,
  aReport,
  openTestFarm,
  removeFolder,
  type TestFarm,
} from "../../helpers/farm/farm.ts";
import { runDuties } from "../../helpers/farm/run-duties.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { cases, holds, inCi } from "../../helpers/long.ts";
import { putAt } from "../../helpers/random/hostile.ts";
import { damaged } from "../../helpers/random/hostile-text.ts";

const value = fc.oneof(
  fc.constantFrom<unknown>(-1, 0, 1e308, 2 ** 53 - 1, "", "\0", "\uD800", null, [], {}, "file:///elsewhere/x", "../.."),
  fc.string({ unit: "binary" }),
  fc.double({ noNaN: true }),
);
const changes = fc.array(fc.tuple(fc.nat(60), value), { maxLength: 3 });

/** What an agent may say of an attempt, well or badly. */
const saidOf = (assignment: Assignment): AgentMessage[] => {
  const { fence } = assignment;
  return [
    { type: "report", report: aReport(assignment) },
    { type: "report", report: aFailure(assignment) },
    { type: "commit", fence, intent: anIntent(assignment) },
    { type: "started", fence },
    { type: "progress", fence, progress: { percent: 5, fps: 1, frame: 1 } },
    { type: "log", fence, from: 0, left: 0, text: "a line\n" },
    { type: "returned", fence, why: "its owner is back" },
    { type: "inspected", fence, seen: "ready" },
    { type: "request_keys", fence },
    { type: "heartbeat", disk: 5 },
  ];
};

const jobsAtOnce = 3;

/** A farm whose one node always has something to speak of. */
const openStage = async (folder: string) => {
  const world: TestFarm = await openTestFarm(folder);
  let node = await world.node({ slots: jobsAtOnce });
  let open: Assignment[] = [];
  let jobs: number[] = [];
  const refill = async (): Promise<void> => {
    // Frames that break the protocol put the node into quarantine, and from then on it would have nothing to speak of.
    if (world.farm.registry.row(node.id)?.health.state !== "sound")
      await changeNode(world.farm, node.id, { state: "active" });
    if (!world.farm.registry.isConnected(node.id)) node = world.connect(node.id);
    for (const message of await node.take()) if (message.type === "assign") open.push(message.assignment);
    open = open.filter(({ fence }) => world.farm.registry.isHeld(node.id, fence));
    if (open.length > 0) return;
    await deleteJobs(world.farm, jobs);
    jobs = [];
    while (jobs.length < jobsAtOnce) jobs.push(await submitJob(world.farm, aJob()));
    await runDuties(world.farm);
    for (const message of await node.take()) if (message.type === "assign") open.push(message.assignment);
  };
  return { world, refill, nodeId: () => node.id, open: () => open };
};

test("half of a character is read as the mark for one that is missing, as the store keeps it", () => {
  const said = '{"type":"returned","fence":{"epoch":1,"counter":1},"why":"a\\ud800b \\ud83d\\ude00"}';
  expect(readMessage(said, 1000)).toMatchObject({ message: { why: "a\uFFFDb \u{1F600}" } });
});

test(
  "whatever frame a node sends, it fails at most the attempt that it names, and the store stays as memory is",
  async () => {
    const folder = aFolder();
    const stage = await openStage(folder);
    const counts = { message: 0, misfit: 0, breach: 0 };
    const say = async (text: string): Promise<void> => {
      const heard = readMessage(text, maxMessageBytes);
      counts[heard.kind] += 1;
      if (heard.kind === "misfit") return takeInvalidMessage(stage.world.farm, stage.nodeId(), heard.about, heard.why);
      if (heard.kind === "message" && heard.message.type !== "hello")
        return takeMessage(stage.world.farm, stage.nodeId(), heard.message);
    };
    const property = fc.asyncProperty(fc.nat(100), fc.nat(100), changes, damaged("x"), async (which, nr, list, cut) => {
      await stage.refill();
      const assignment = stage.open()[which % Math.max(1, stage.open().length)];
      if (!assignment) return;
      const said = saidOf(assignment);
      const message = list.reduce((all: unknown, [place, put]) => putAt(all, place, put), said[nr % said.length]);
      const text = JSON.stringify(message);
      await say(nr % 7 === 0 ? text.slice(0, cut.length % text.length) + cut : text);
    });
    await holds(property, cases(200));
    console.log(`frames: ${JSON.stringify(counts)}`);
    expect(counts.message + counts.misfit + counts.breach).toBeGreaterThan(cases(200) / 2);
    // Of few frames, none may be of a rarer kind.
    expect(inCi ? Math.min(...Object.values(counts)) : counts.message).toBeGreaterThan(0);
    await stage.world.close();
    removeFolder(folder);
  },
  6 * 3_600_000,
);
