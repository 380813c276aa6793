import { systemClock } from "../../../shared/basics/system-clock.ts";
import { someFacts } from "../../pages/rich-farm/made-jobs.ts";
import { type Fate, type MadeComputer, type NodeKey, startMadeNode } from "../../pages/rich-farm/made-node.ts";

const tool = (path: string) => ({ path, version: "7.0.2", build: "made" });
const beatMs = 1000;

type Choices = {
  readonly joinToken: string;
  /** What becomes of work on a computer. */
  readonly fateOf: (computer: MadeComputer) => Fate;
};

/** Made computers on a farm whose time is the real one. They are switched off, and on as the same nodes. */
export const createMadeNodes = (computers: readonly MadeComputer[], { joinToken, fateOf }: Choices) => {
  const keys = new Map<string, NodeKey>();
  let nodes: ReturnType<typeof startMadeNode>[] = [];
  const stopBeats = systemClock.every(beatMs, () => {
    for (const node of nodes) node.beat();
  });
  return {
    switchOn: async (): Promise<void> => {
      nodes = computers.map((computer) =>
        startMadeNode({
          ...{ computer, joinToken, known: keys.get(computer.name), clock: systemClock, end: systemClock.now() },
          ...{ fateOf: () => fateOf(computer), factsOf: someFacts, random: () => 0.5 },
          tools: { ffmpeg: tool("/usr/bin/ffmpeg"), ffprobe: tool("/usr/bin/ffprobe"), capabilities: [] },
        }),
      );
      const known = await Promise.all(nodes.map(({ welcome }) => welcome));
      for (const [at, { name }] of computers.entries()) keys.set(name, known[at] as NodeKey); // one each
    },
    switchOff: (): void => {
      for (const node of nodes) node.leave();
      nodes = [];
    },
    [Symbol.dispose]: (): void => {
      stopBeats();
      for (const node of nodes) node.close();
    },
  };
};
