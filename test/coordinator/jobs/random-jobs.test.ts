import { expect, test } from "vitest";
import { pauseJob, resumeJob } from "../../../coordinator/jobs/pause.ts";
import { deleteJobs, stopJob } from "../../../coordinator/jobs/stop.ts";
import { updateJob } from "../../../coordinator/jobs/update.ts";
import { withErrorsOfSources } from "../../../shared/model/job-graph.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { turns } from "../../helpers/clock.ts";
import { aFailure, aReport, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { share } from "../../helpers/long.ts";
import { randomFrom } from "../../helpers/random/random.ts";
import { aRandomGraph, endOf, fatesOf, type RandomGraph } from "../../helpers/random/random-graph.ts";

const { world, farm, submit, report, advance } = useFarm();

type Random = ReturnType<typeof randomFrom>;

const jobOf = ({ uids, connections }: RandomGraph, retries: number) => ({
  name: "random",
  task_retry: { count: retries, delay_sec: 0 },
  payload: {
    elements: uids.map((uid) =>
      aSource({
        uid,
        payload: { kind: "asset_url", payload: { storage_provider: "file", url: `file:///media/${uid}` } },
      }),
    ),
    connections: connections.map(({ from, success, error }) => ({
      from: from.map((element) => ({ element })),
      to: { success: success.map((element) => ({ element })), error: error.map((element) => ({ element })) },
    })),
  },
});

type Held = { readonly node: FakeNode; readonly assignment: Assignment };

/** Lets nodes run what they are given, in any order; `end` says how each ends. True where nothing is left to do. */
const play = async (
  nodes: readonly FakeNode[],
  held: Held[],
  random: Random,
  fails: (uid: string) => boolean,
): Promise<boolean> => {
  for (const node of nodes) {
    for (const message of await node.take()) {
      if (message.type === "assign") held.push({ node, assignment: message.assignment });
    }
  }
  const [one] = held.splice(random.integer(0, Math.max(0, held.length - 1)), 1);
  if (!one) {
    await advance(1_000);
    for (const { id } of nodes) farm().registry.heard(id, world().clock.monotonic());
    await turns();
    const running = nodes.flatMap(({ id }) => farm().registry.runningOn(id));
    return running.length + farm().ready.size() + farm().delayed.size === 0;
  }
  const uid = stored(farm()).task(one.assignment.taskId)?.element_uid ?? "";
  await report(one.node, fails(uid) ? aFailure(one.assignment) : aReport(one.assignment));
  return false;
};

test.each(share([1, 2, 3], (seed) => seed === 1))(
  "random jobs end on the farm as their graphs say (seed %i)",
  async (seed) => {
    const random = randomFrom(seed);
    const nodes = [await world().node({ name: "a" }), await world().node({ name: "b" })];
    for (let nr = 0; nr < 8; nr += 1) {
      const written = aRandomGraph(random, 7);
      const { uids } = written;
      const graph = { ...written, connections: withErrorsOfSources(written.connections, new Set(uids)) };
      const fails = new Set(uids.filter(() => random.chance(0.3)));
      const jobId = await submit(jobOf(written, random.integer(0, 1)));
      const held: Held[] = [];
      while (!(await play(nodes, held, random, (uid) => fails.has(uid))));
      const fates = fatesOf(graph, fails);
      const states = stored(farm())
        .runs(jobId)
        .map(({ uid, state }) => [uid, state]);
      expect(Object.fromEntries(states)).toEqual(Object.fromEntries(fates));
      const job = world().job(jobId);
      expect(`${job?.status} ${job?.substatus}`).toBe(endOf(graph, fates));
    }
  },
);

test.each(share([4, 5, 6], (seed) => seed === 4))(
  "whatever people do meanwhile, nothing is left running or waiting (seed %i)",
  async (seed) => {
    const random = randomFrom(seed);
    const nodes = [await world().node({ name: "a" }), await world().node({ name: "b" })];
    for (let nr = 0; nr < 8; nr += 1) {
      const jobId = await submit(jobOf(aRandomGraph(random, 7), random.integer(0, 2)));
      const held: Held[] = [];
      const people = [
        () => pauseJob(farm(), jobId),
        () => resumeJob(farm(), jobId),
        () => updateJob(farm(), jobId, { priority: random.integer(1, 254) }),
        () => updateJob(farm(), jobId, { task_tags: [] }),
      ];
      const end = random.one([() => stopJob(farm(), jobId), () => deleteJobs(farm(), [jobId])]);
      for (let turn = random.integer(0, 12); turn > 0; turn -= 1) {
        if (random.chance(0.3)) await random.one(people)();
        await play(nodes, held, random, () => random.chance(0.3));
      }
      const ended = world().job(jobId)?.status;
      await end();
      const job = world().job(jobId);
      if (job && ended !== "completed" && ended !== "failed")
        expect(job).toMatchObject({ status: "failed", substatus: "stopped" });
      for (const { id } of nodes) expect(farm().registry.runningOn(id)).toEqual([]);
      expect([farm().ready.size(), farm().delayed.size, farm().pausedJobs.size]).toEqual([0, 0, 0]);
      for (const { node, assignment } of held)
        expect(["ok", "stale"]).toContain(await report(node, aReport(assignment)));
    }
  },
);
