import { expect, test } from "vitest";
import { takeDisconnect } from "../../../coordinator/connections/messages.ts";
import type { Transaction } from "../../../coordinator/kernel/transaction.ts";
import type { ReadTask } from "../../../coordinator/store/job-reads.ts";
import type { TaskRow } from "../../../coordinator/store/rows.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import type { Reach } from "../../../shared/rights/reach.ts";
import { aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, advance } = useFarm();

/** Tasks of full weight, each of a job of its own, that take so many cores. Gives their ids. */
const addTasks = async (count: number, cores?: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let nr = 0; nr < count; nr += 1) {
    const jobId = await submit(aSmallJob({ task_tags: ["nowhere"] }));
    ids.push(await farm().change([jobId], (draft) => addTask(draft, jobId, cores)));
  }
  return ids;
};

const addTask = (draft: Transaction, jobId: number, cores: number | undefined): number => {
  const row: Omit<TaskRow, "id"> = {
    ...{
      job_id: jobId,
      element_uid: "src",
      path: "",
      uid: "src",
      name: "full",
      kind: "source",
      purpose: "work",
      state: "ready",
    },
    ...{ priority: null, tags: [], requires: [], weight: "full", demand: cores === undefined ? {} : { cores } },
    ...{ retry_count: 0, retry_delay_sec: 0, retry_nr: 0, losses: 0, attempt: null, node_id: null },
    ...{ creation_time: farm().clock.now(), ready_time: farm().clock.steady(), start_time: null, end_time: null },
    ...{ awaits: undefined, failure: undefined, intent: undefined, published: undefined },
  };
  return draft.insertTask(row, { assets: {}, outputs: {}, steps: [] }).id;
};

const take = async (node: FakeNode, held: Assignment[]): Promise<void> => {
  for (const message of await node.take()) if (message.type === "assign") held.push(message.assignment);
};

test.each([
  ["", 0],
  [" and the clock is set an hour ahead", 3_600_000],
  [" and the clock is set an hour back", -3_600_000],
])("a task that takes the whole node has it after some minutes, however many small ones wait%s", async (_, jump) => {
  const away = await world().node({ slots: 0, tags: ["nowhere"] });
  takeDisconnect(farm(), away.id, away.connection);
  const node = await world().node({ slots: 2 });
  await addTasks(1);
  const [big = 0] = await addTasks(1, 2);
  await addTasks(30);
  const held: Assignment[] = [];
  let minutes = 0;
  // One of the two slots comes free every half minute, never both at a time.
  for (; !held.some(({ taskId }) => taskId === big) && minutes < 12; minutes += 0.5) {
    await take(node, held);
    if (minutes === 1) world().clock.jump(jump);
    if (minutes === 3.5) {
      const row = stored(farm()).task(big);
      expect(
        row &&
          explain(farm(), row, "all")
            .nodes.find(({ node_id }) => node_id === String(node.id))
            ?.reasons.map(({ reason }) => reason),
      ).toEqual(["no_slot"]);
      const small = [...farm().ready.tasks()].find(({ task }) => task.weight === "full" && task.id !== big)?.task.id;
      const other = stored(farm()).task(small ?? 0);
      const keptFor = (reach: Reach) =>
        other &&
        explain(farm(), other, reach)
          .nodes.find(({ node_id }) => node_id === String(node.id))
          ?.reasons.map(({ reason, data: { task } }) => [reason, task]);
      expect(keptFor("all")).toEqual([["reserved", String(big)]]);
      // Whose tasks wait is for those alone who reach them.
      const stranger: Reach = { field: "owner_id", value: "api user 9" };
      expect(keptFor(stranger)).toEqual([["reserved", ""]]);
      expect(JSON.stringify(explain(farm(), other as ReadTask, stranger))).not.toContain(`task ${big}`);
    }
    for (let ms = 0; ms < 30_000; ms += 10_000) {
      await advance(10_000);
      farm().registry.heard(node.id, world().clock.monotonic());
    }
    const [first] = held.splice(0, 1);
    if (first) await report(node, aReport(first));
    await take(node, held);
  }
  expect(minutes).toBeGreaterThan(3);
  expect(minutes).toBeLessThan(6);
});
