import { expect, test } from "vitest";
import { jobsAt, loseAttempts } from "../../../coordinator/attempts/lost-attempts.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { turns } from "../../helpers/clock.ts";
import { aFailure, aListing, aReport, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { isLong, seed, times } from "../../helpers/long.ts";
import { randomFrom } from "../../helpers/random/random.ts";
import { aBatchedGraph, type BatchedGraph, outcomeOf } from "../../helpers/random/random-instances.ts";

const { world, farm, submit, report, restart } = useFarm();

const jobOf = ({ uids, connections, enumerations }: BatchedGraph) => ({
  name: "random",
  payload: {
    elements: uids.map((uid) =>
      enumerations.has(uid)
        ? { uid, kind: "folder_enum", payload: { source: { storage_provider: "file", path: `/media/${uid}` } } }
        : aSource({
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

/** Ends one of the assignments that nodes hold, as the graph says of its instance. */
const end = async (graph: BatchedGraph, node: FakeNode, assignment: Assignment): Promise<void> => {
  const { element_uid: uid, path } = stored(farm()).task(assignment.taskId) ?? { element_uid: "", path: "" };
  const files = Array.from({ length: graph.finds(uid, path) }, (_, nr) => `file:///media/${uid}/${nr}`);
  if (graph.fails(uid, path))
    await report(node, aFailure(assignment, "source")); // no fault of the node
  else await report(node, graph.enumerations.has(uid) ? aListing(assignment, files) : aReport(assignment));
};

/** Gives the node that is connected after it: now and then the farm starts again. */
const play = async (first: FakeNode, graph: BatchedGraph, random: ReturnType<typeof randomFrom>): Promise<FakeNode> => {
  let node = first;
  const held: Assignment[] = [];
  for (;;) {
    for (const message of await node.take()) if (message.type === "assign") held.push(message.assignment);
    const [one] = held.splice(random.integer(0, Math.max(0, held.length - 1)), 1);
    if (!one) return node;
    await end(graph, node, one);
    if (!random.chance(0.03)) continue;
    // What the node still held is given out again to the next one.
    await restart();
    held.length = 0;
    await turns();
    node = await world().node({ slots: 3 });
    for (const lost of farm()
      .registry.rows()
      .filter(({ id }) => id !== node.id)) {
      await loseAll(lost.id);
    }
  }
};

const loseAll = async (nodeId: number): Promise<void> => {
  await farm().change(jobsAt(farm(), nodeId), (draft) =>
    loseAttempts(farm(), draft, ({ node_id }) => node_id === nodeId, "the test took it away"),
  );
  farm().wake();
};

test("random jobs of nested enumerations end on the farm as the design says, also over restarts", async () => {
  const cases = times(3, 12, 2000);
  if (isLong) console.log(`${cases} cases, MEDIAFARM_SEED=${seed}`);
  let node = await world().node({ slots: 3 });
  for (let nr = 0; nr < cases; nr += 1) {
    const random = randomFrom(seed + nr);
    const graph = aBatchedGraph(random, 8);
    const expected = outcomeOf(graph);
    if (Object.keys(expected.fates).length > 60) continue;
    const id = await submit(jobOf(graph));
    node = await play(node, graph, random);
    const rows = [...stored(farm()).runs(id), ...stored(farm()).instances(id)];
    const states = rows.flatMap(({ uid, path, state }) => (state === "waiting" ? [] : [[`${path}:${uid}`, state]]));
    const said = `MEDIAFARM_SEED=${seed + nr}`;
    expect(Object.fromEntries(states), said).toEqual(expected.fates);
    const { status, substatus } = world().job(id) ?? {};
    const isHandled = expected.failed > 0 ? "completed handled_errors" : "completed null";
    expect(`${status} ${substatus}`, said).toBe(expected.unhandled > 0 ? "failed null" : isHandled);
  }
});
