import { systemClock } from "../../../shared/basics/system-clock.ts";
import { someFacts } from "../../pages/rich-farm/made-jobs.ts";
import { type Fate, type MadeComputer, type NodeKey, startMadeNode } from "../../pages/rich-farm/made-node.ts";

const tool = (path: string) => ({ path, version: "7.0.2", build: "made" });
const beatMs = 1000;
/** Agents come again too: a busy farm may not hear the first greeting in time. */
const mostTries = 20;

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
  const letIn = async (computer: MadeComputer, triesLeft = mostTries): Promise<void> => {
    const node = startMadeNode({
      ...{ computer, joinToken, known: keys.get(computer.name), clock: systemClock, end: systemClock.now() },
      ...{ fateOf: () => fateOf(computer), factsOf: someFacts, random: () => 0.5 },
      tools: { ffmpeg: tool("/usr/bin/ffmpeg"), ffprobe: tool("/usr/bin/ffprobe"), capabilities: ["ffprobe"] },
    });
    try {
      keys.set(computer.name, await node.welcome);
      nodes.push(node);
    } catch (problem) {
      node.close();
      if (triesLeft === 0) throw problem;
      await letIn(computer, triesLeft - 1);
    }
  };
  return {
    switchOn: async (): Promise<void> => {
      await Promise.all(computers.map((computer) => letIn(computer)));
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
