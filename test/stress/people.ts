import { setTimeout as pause } from "node:timers/promises";
import { randomFrom } from "../helpers/random/random.ts";
import { aStormJob } from "./jobs.ts";
import type { Storm } from "./storm.ts";

/** Submits the storm's jobs, spread over it. What is not answered, because nobody is there, is submitted again. */
export const submitAll = async (storm: Storm): Promise<void> => {
  const { choices } = storm;
  const lanes = 8;
  const lane = async (first: number): Promise<void> => {
    const random = randomFrom(choices.seed + first);
    for (let index = first; index < choices.jobs; index += lanes) {
      await submit(storm, () => aStormJob(random, index));
      await pause((choices.stormMs / choices.jobs) * lanes * random.integer(0, 1));
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
};

/** One that was not answered may be there all the same: the next try is another job. */
const submit = async ({ farm, accepted }: Storm, make: () => ReturnType<typeof aStormJob>): Promise<void> => {
  for (;;) {
    const answer = await farm.client.createJob(make()).catch((problem) => {
      if (problem.code === "UNAVAILABLE") return undefined;
      throw problem;
    });
    if (answer) {
      accepted.add(answer.id);
      return;
    }
    await pause(200);
  }
};

/** Operators at work: jobs are stopped, deleted and changed while they run, nodes drained and paused. */
export const meddle = async (storm: Storm): Promise<void> => {
  const { choices, book } = storm;
  const random = randomFrom(choices.seed + 104_729);
  const touched = new Set<string>();
  const times = Math.max(10, Math.floor(choices.jobs / 20));
  for (let nth = 0; nth < times; nth++) {
    await pause(choices.stormMs / times);
    const name = random.one(Object.keys(acts));
    book.count(name);
    await acts[name]?.(storm, random, touched).catch(tolerate);
  }
  for (const node_id of touched) await wake(storm, node_id);
};

/** A coordinator that is away, and a job that is gone by now, are part of the storm. */
const tolerate = (problem: { readonly code?: string }): void => {
  if (problem.code !== "UNAVAILABLE" && problem.code !== "NOT_FOUND") throw problem;
};

type Act = (storm: Storm, random: ReturnType<typeof randomFrom>, touched: Set<string>) => Promise<unknown>;

const someJob = ({ accepted }: Storm, random: ReturnType<typeof randomFrom>): string =>
  random.one([...accepted].slice(-100)) ?? "0";

const acts: Readonly<Record<string, Act>> = {
  "stop a job": (storm, random) => storm.farm.client.stopJob({ job_id: someJob(storm, random) }),
  "delete a job": async (storm, random) => {
    const job_id = someJob(storm, random);
    storm.deleted.add(job_id);
    await storm.farm.client.deleteJob({ job_id });
  },
  "change a priority": async (storm, random) => {
    const [job_id, priority] = [someJob(storm, random), random.one([10, 100, 250])];
    const asked = Date.now();
    let answered: number | undefined;
    try {
      await storm.farm.client.updateJob({ job_id, priority });
      answered = Date.now();
    } finally {
      storm.priorityChanges.push({ jobId: Number(job_id), priority, asked, answered });
    }
  },
  "hold a node back": async ({ farm }, random, touched) => {
    const { items } = await farm.client.listNodes({});
    const node = items.length > 0 ? random.one(items) : undefined;
    if (!node) return;
    touched.add(node.id);
    await farm.client.updateNode({ node_id: node.id, state: random.one(["drain", "paused", "active"]) });
  },
};

const wake = async ({ farm }: Storm, node_id: string): Promise<void> => {
  for (;;) {
    const isAwake = await farm.client.updateNode({ node_id, state: "active" }).then(() => true, tolerateFalse);
    if (isAwake) return;
    await pause(200);
  }
};

const tolerateFalse = (problem: { readonly code?: string }): boolean => {
  tolerate(problem);
  return false;
};
