import { setTimeout as pause } from "node:timers/promises";
import { type BenchCoordinator, exchange, startCoordinator } from "./farms/coordinator.ts";
import { cpuMsOf } from "./farms/cpu.ts";
import { largeJob } from "./farms/jobs.ts";
import { startProgram } from "./farms/program.ts";
import { scratchFolder } from "./farms/scratch.ts";
import { type Bench, interleave } from "./harness.ts";

/** Callers that submit side by side. */
export const atOnce = 32;

/**
 * Durable submission of jobs of 2 kB: how long the farm takes to answer so many, against the least that could be called the
 * same (`bare-submit.ts`). The farm only stores a job here; it begins
 * jobs as nodes ask for work.
 */
export const submit: Bench = {
  name: "submit",
  run: async ({ isQuick, pairs, say }) => {
    const [rounds, count] = isQuick ? [pairs ?? 3, 500] : [pairs ?? 7, 3000];
    using scratch = scratchFolder();
    await using farm = await startCoordinator(scratch.path);
    const bare = await startProgram<{ base_url: string }>("bench/references/bare-submit.ts", []);
    const postBare = (body: string) => exchange(`${bare.ready.base_url}/jobs`, "POST", {}, body);
    const postFarm = (body: string) => farm.ask("POST", "/jobs", body);
    const watch = createWatch(farm);
    const farmLeg = async () => {
      const cost = await costOf(farm.pid, () => postAll(postFarm, count));
      await untilQuiet(farm.pid);
      return cost;
    };
    try {
      await farmLeg();
      await postAll(postBare, count);
      await watch.blocked();
      const times = await interleave(rounds, {
        farm: farmLeg,
        bare: () => costOf(bare.child.pid ?? 0, () => postAll(postBare, count)),
      });
      for (const { farm: own, bare: other } of times) {
        say(`${count} jobs: farm ${wordsOf(own)}; bare ${wordsOf(other)}`);
      }
      const blocked = await watch.blocked();
      say(`the loop was late by ${(1000 * blocked).toFixed(1)} ms at most`);
      const wide = await watch.blockedBy(() => farm.ask("POST", "/jobs", wideJob), 3);
      say(`a job of 500 elements blocked it for ${(1000 * wide).toFixed(1)} ms at most`);
      const manyWide = await watch.blockedBy(
        () => Promise.all(Array.from({ length: atOnce }, () => postFarm(wideJob))),
        1,
      );
      say(`${atOnce} of them at once: ${(1000 * manyWide).toFixed(1)} ms at most`);
      const openApi = await watch.blockedBy(() => farm.ask("GET", "/openapi.json"), 3);
      say(`the OpenAPI document: ${(1000 * openApi).toFixed(1)} ms at most`);
      const reference = "bare Fastify route";
      return [
        {
          name: "time of a 2 kB job",
          reference,
          ratios: times.map((each) => each.farm.wall / each.bare.wall),
          target: 1.4,
        },
        { name: "CPU of a 2 kB job", reference, ratios: times.map((each) => each.farm.cpu / each.bare.cpu) },
        { name: "loop blocked by 2 kB jobs", reference: "20 ms", ratios: [blocked / 0.02] },
        { name: "loop blocked by 500 elements", reference: "20 ms", ratios: [wide / 0.02], target: 1 },
        { name: `by ${atOnce} such jobs at once`, reference: "20 ms", ratios: [manyWide / 0.02] },
        { name: "loop blocked by /openapi.json", reference: "20 ms", ratios: [openApi / 0.02], target: 1 },
      ];
    } finally {
      await bare.end();
    }
  },
};

/** A job of 2 kB. */
export const body = JSON.stringify(largeJob(1));
const wideJob = JSON.stringify(largeJob(500));

/** Milliseconds by the clock until all are answered, and of the server's processor time. */
type Cost = { readonly wall: number; readonly cpu: number };

const costOf = async (pid: number, run: () => Promise<void>): Promise<Cost> => {
  const [begun, before] = [performance.now(), cpuMsOf(pid)];
  await run();
  return { wall: performance.now() - begun, cpu: cpuMsOf(pid) - before };
};

/** Jobs that were only stored begin afterwards, and the other leg is to have the machine for itself. */
export const untilQuiet = async (pid: number): Promise<void> => {
  for (let [before, now] = [Number.NaN, cpuMsOf(pid)]; before !== now; [before, now] = [now, cpuMsOf(pid)]) {
    await pause(quietMs);
  }
};
const quietMs = 250;

const wordsOf = ({ wall, cpu }: Cost): string => `${Math.round(wall)} ms (${Math.round(cpu)} ms of CPU)`;

/** Has so many jobs accepted, as many at a time as there are callers. */
export const postAll = async (post: (body: string) => Promise<unknown>, count: number): Promise<void> => {
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await post(body);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
};

/** What the farm says of itself. Each look at how late the loop was begins a new measurement. */
const createWatch = (farm: BenchCoordinator) => {
  /** In seconds, since it was asked last. */
  const blocked = async (): Promise<number> =>
    (await farm.metrics()).get('mediafarm_loop_delay_seconds{quantile="1"}') ?? Number.NaN;
  return {
    blocked,
    blockedBy: async (act: () => Promise<unknown>, times: number): Promise<number> => {
      await blocked();
      for (let turn = 0; turn < times; turn += 1) await act();
      return blocked();
    },
  };
};
