import { exchange, startCoordinator } from "./coordinator.ts";
import { cpuMsOf } from "./cpu.ts";
import { type Bench, interleave } from "./harness.ts";
import { largeJob } from "./jobs.ts";
import { startProgram } from "./program.ts";
import { scratchFolder } from "./scratch.ts";

const atOnce = 32;

/**
 * Durable submission of jobs of 2 kB: how long the farm takes for so many, against the least that could be called the same
 * (`bare-submit.ts`). A ratio of 1.25 is four fifths of its throughput.
 */
export const submit: Bench = {
  name: "submit",
  run: async ({ isQuick, pairs, say }) => {
    const [rounds, count] = isQuick ? [pairs ?? 3, 500] : [pairs ?? 7, 3000];
    using scratch = scratchFolder();
    await using farm = await startCoordinator(scratch.path);
    const bare = await startProgram<{ base_url: string }>("bench/bare-submit.ts", []);
    const postBare = (body: string) => exchange(`${bare.ready.base_url}/jobs`, "POST", {}, body);
    const postFarm = (body: string) => farm.ask("POST", "/jobs", body);
    try {
      await postAll(postFarm, count);
      await postAll(postBare, count);
      await farm.metrics();
      const times = await interleave(rounds, {
        farm: () => costOf(farm.pid, () => postAll(postFarm, count)),
        bare: () => costOf(bare.child.pid ?? 0, () => postAll(postBare, count)),
      });
      for (const each of times) say(`${count} jobs: farm ${wordsOf(each.farm)}, bare ${wordsOf(each.bare)}`);
      const blocked = (await farm.metrics()).get('mediafarm_loop_delay_seconds{quantile="1"}') ?? Number.NaN;
      say(`the loop was late by ${(1000 * blocked).toFixed(1)} ms at most`);
      const wide = await blockedBy(farm, JSON.stringify(largeJob(500)));
      say(`a job of 500 elements blocked it for ${(1000 * wide).toFixed(1)} ms at most`);
      const reference = "bare Fastify route";
      return [
        {
          name: "time of a 2 kB job",
          reference,
          ratios: times.map((each) => each.farm.wall / each.bare.wall),
          target: 1.25,
        },
        { name: "CPU of a 2 kB job", reference, ratios: times.map((each) => each.farm.cpu / each.bare.cpu) },
        { name: "loop blocked by 500 elements", reference: "20 ms", ratios: [wide / 0.02], target: 1 },
      ];
    } finally {
      await bare.end();
    }
  },
};

const body = JSON.stringify(largeJob(1));

type Cost = { readonly wall: number; readonly cpu: number };

/** Milliseconds by the clock and of the server's processor time. */
const costOf = async (pid: number, run: () => Promise<void>): Promise<Cost> => {
  const [begun, before] = [performance.now(), cpuMsOf(pid)];
  await run();
  return { wall: performance.now() - begun, cpu: cpuMsOf(pid) - before };
};

const wordsOf = ({ wall, cpu }: Cost): string => `${Math.round(wall)} ms (${Math.round(cpu)} ms of CPU)`;

const postAll = async (post: (body: string) => Promise<string>, count: number): Promise<void> => {
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await post(body);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
};

/** The worst of a few, in seconds. */
const blockedBy = async (farm: Awaited<ReturnType<typeof startCoordinator>>, job: string): Promise<number> => {
  await farm.metrics();
  for (let turn = 0; turn < 3; turn += 1) await farm.ask("POST", "/jobs", job);
  return (await farm.metrics()).get('mediafarm_loop_delay_seconds{quantile="1"}') ?? Number.NaN;
};
