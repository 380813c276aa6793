import { cpuMsOfEmptyNode } from "./farms/cpu.ts";
import { startFarm } from "./farms/farm.ts";
import { scratchFolder } from "./farms/scratch.ts";
import { copySources, type FarmRun, makeSources, placesIn, transcodeAll, video } from "./farms/transcodes.ts";
import { type Bench, interleave, type Measure } from "./harness.ts";
import { runByXargs } from "./references/bare.ts";
import { transcodeByHand } from "./references/by-hand.ts";
import { moved, type Recorded, recordProcesses } from "./references/recorded.ts";

const slots = 2;

/**
 * What the farm costs beside the programs it starts, where that shows most: transcodes of one second. The reference runs
 * the very same processes by `xargs`; the farm's own processor time is held against that of a `node -e 0`.
 */
export const farmOverhead: Bench = {
  name: "farm-overhead",
  run: async ({ isQuick, pairs: wanted, say }) => {
    const [count, pairs] = isQuick ? [20, wanted ?? 3] : [200, wanted ?? 7];
    using scratch = scratchFolder();
    const sources = await makeSources(scratch.path, count);
    say("writing down what the farm starts");
    const recorded = await recordProcesses(sources, slots);
    await using farm = await startFarm({ slots });
    const transcodes = recorded.filter(({ kind }) => kind === "transcode");
    const byHand = handMade(count);

    const replay = async (leg: string, commands: readonly Recorded[]): Promise<Leg> => {
      const places = placesIn(farm, leg);
      copySources(sources, places.media);
      let [wall, cpu] = [0, 0];
      for (const part of withoutRaces(commands)) {
        const run = await runByXargs(
          part.map((each) => moved(each, places)),
          slots,
        );
        wall += run.wall;
        cpu += run.cpu;
      }
      say(`${leg}: ${Math.round(wall)} ms, ${Math.round(cpu)} ms of CPU`);
      return { tasks: 0, wall, cpu: { coordinator: 0, agent: 0, children: cpu }, node: Number.NaN };
    };
    const runFarm = async (leg: string): Promise<Leg> => {
      const run = await transcodeAll(farm, sources, leg);
      const { coordinator, agent, children } = run.cpu;
      const node = cpuMsOfEmptyNode();
      const each = [coordinator, agent].map((ms) => (ms / run.tasks).toFixed(2));
      say(`${leg}: ${Math.round(run.wall)} ms, ${children} ms of CPU by what it starts`);
      say(`${leg}: ${run.tasks} tasks, each: coordinator ${each[0]} ms, agent ${each[1]} ms; node -e 0 ${node} ms`);
      return { ...run, node };
    };

    await runFarm("warm-up");
    const rounds = await interleave(pairs, {
      farm: (round) => runFarm(`farm-${round}`),
      same: (round) => replay(`same-${round}`, recorded),
      bare: (round) => replay(`bare-${round}`, transcodes),
      hand: (round) => replay(`hand-${round}`, byHand),
    });
    return measuresOf(rounds, count);
  },
};

type Leg = FarmRun & { readonly node: number };
type Round = Readonly<Record<"farm" | "same" | "bare" | "hand", Leg>>;

/** Checks start once all transcodes have ended: a loaded machine may hold one of them up for as long as it likes. */
const withoutRaces = (commands: readonly Recorded[]): Recorded[][] =>
  [commands.filter(({ kind }) => kind !== "verify"), commands.filter(({ kind }) => kind === "verify")].filter(
    (part) => part.length > 0,
  );

/** Commands that a person would write for the same files. */
const handMade = (count: number): Recorded[] =>
  Array.from({ length: count }, (_, at) => {
    return { kind: "transcode", argv: transcodeByHand(`{media}/s${at}.mp4`, `{out}/s${at}_made.mp4`, video) };
  });

const measuresOf = (rounds: readonly Round[], count: number): Measure[] => {
  const ratios = (of: (round: Round) => number) => rounds.map(of);
  const node = "one node -e 0";
  const hand = "the best commands by hand";
  const [same, bare] = [`xargs -P${slots}, same processes`, `xargs -P${slots}, transcodes alone`];
  return [
    { name: "wall", reference: same, ratios: ratios((each) => each.farm.wall / each.same.wall), target: 1.1 },
    { name: "wall", reference: bare, ratios: ratios((each) => each.farm.wall / each.bare.wall) },
    { name: "wall", reference: hand, ratios: ratios((each) => each.farm.wall / each.hand.wall) },
    { name: "CPU of all", reference: hand, ratios: ratios((each) => allCpu(each.farm) / allCpu(each.hand)) },
    {
      name: "CPU of all",
      reference: same,
      ratios: ratios((each) => allCpu(each.farm) / allCpu(each.same)),
    },
    {
      name: "CPU of coordinator and agent a task",
      reference: node,
      ratios: ratios(({ farm }) => ownCpu(farm) / farm.tasks / farm.node),
      target: 0.25,
    },
    {
      name: "CPU of coordinator and agent a transcode",
      reference: node,
      ratios: ratios(({ farm }) => ownCpu(farm) / count / farm.node),
    },
    {
      name: "CPU of the coordinator a task",
      reference: node,
      ratios: ratios(({ farm }) => farm.cpu.coordinator / farm.tasks / farm.node),
    },
    {
      name: "CPU of the agent a task",
      reference: node,
      ratios: ratios(({ farm }) => farm.cpu.agent / farm.tasks / farm.node),
    },
  ];
};

const ownCpu = ({ cpu }: Leg): number => cpu.coordinator + cpu.agent;
const allCpu = (leg: Leg): number => ownCpu(leg) + leg.cpu.children;
