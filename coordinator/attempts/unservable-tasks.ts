import type { Failure } from "../../shared/model/failure.ts";
import { changeEach } from "../kernel/committer.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { describeMissing } from "../schedule/obstacles.ts";
import type { OpenTask } from "../schedule/open-task.ts";

/** The number of tasks that fail at once. */
const failedAtOnce = 50;

/** Fails tasks that no enrolled node can run, after a time of waiting, in which nodes may come back after a restart. */
export const failUnservable = async (farm: Nodes): Promise<void> => {
  if (farm.clock.up() < farm.config.capabilityWaitMs) return;
  for (let stuck = unservable(farm); stuck.length > 0; stuck = unservable(farm)) {
    await changeEach(farm, stuck, (draft, each) => {
      const task = draft.task({ job_id: each.jobId, id: each.id });
      if (task?.state !== "ready") return;
      const failure: Failure = { cause: "capability", message: whatIsMissing(farm, each) };
      draft.moveTask(task, "fail", { failure, end_time: farm.clock.now() });
      draft.touch(each.jobId);
    });
  }
};

const unservable = (farm: Pick<Nodes, "config" | "clock" | "ready" | "polls" | "registry">): OpenTask[] => {
  const latest = farm.clock.steady() - farm.config.capabilityWaitMs;
  const ready = [...farm.ready.sets()].filter(({ needs }) => !farm.registry.someoneCould(needs));
  const waiting = [...farm.polls.all()].flatMap(({ task }) => (farm.registry.someoneCould(task) ? [] : [task]));
  const stuck: OpenTask[] = [];
  for (const all of [...ready.map((set) => set.all()), waiting])
    for (const each of all) {
      if (stuck.length === failedAtOnce) return stuck;
      if (each.readyTime <= latest) stuck.push(each);
    }
  return stuck;
};

const whatIsMissing = (farm: Pick<Nodes, "registry">, task: OpenTask): string => {
  const nodes = farm.registry.candidates().map(({ offer }) => offer.node);
  return `No node of the farm provides ${describeMissing(nodes, task)}`;
};
