import type { Computer } from "../shared/ipc.ts";
import { makeMediaFolder } from "./default-folders.ts";
import type { Desktop } from "./desktop.ts";
import { createFarmServices, type FarmServicesNeeds } from "./farm-services.ts";
import { createOwnNode } from "./own-node.ts";
import type { Settings } from "./settings.ts";
import { type Facts, lendingOf, pauseWordsOf, sentenceOf } from "./words.ts";

/** How often the farm is asked how this computer stands in it. */
export const askEveryMs = 5000;

export type LenderNeeds = Omit<FarmServicesNeeds, "desktop" | "onReady" | "onConnected" | "onAgentLeft"> & {
  readonly desktop: Pick<Desktop, "startService" | "version" | "platform">;
  readonly home: string;
  readonly fetch: typeof fetch;
};

/** This computer's part in its farm: the services it needs for that, and what is known of it. */
export const createLender = (needs: LenderNeeds) => {
  const { desktop, clock, settings, dataFolder, onChange } = needs;
  const node = createOwnNode(needs.fetch);
  const services = createFarmServices({
    ...needs,
    onReady: ({ access }) => node.open(access),
    onConnected: (nodeId) => {
      node.connected(nodeId);
      void ask();
    },
    onAgentLeft: node.disconnected,
  });
  let stopAsking = () => {};

  const ask = async (): Promise<void> => {
    const url = services.farmUrl();
    if (url === undefined) return;
    await node.ask(url);
    onChange();
  };

  const facts = (): Facts => ({
    mode: settings.get().farm.mode,
    coordinator: services.coordinator.state(),
    agent: services.agent.state(),
    problem: services.coordinator.problem() ?? services.agent.problem(),
    isLending: settings.get().isLending,
    node: node.known(),
    isReachable: node.isReachable(),
    isConnected: node.id() !== undefined,
    farmUrl: services.farmUrl(),
  });

  const computer = (): Computer => {
    const now = facts();
    const { roots = [], slots } = settings.get();
    return {
      version: desktop.version,
      platform: desktop.platform,
      mode: now.mode,
      lending: lendingOf(now),
      words: sentenceOf(now),
      pauseWords: pauseWordsOf(now.mode),
      running: now.node?.running ?? null,
      nodeId: node.id() ?? null,
      roots,
      slots: slots ?? null,
      dataFolder,
    };
  };

  const start = (): void => {
    if (settings.get().roots === undefined) settings.change({ roots: [makeMediaFolder(needs.home)] });
    services.start();
    stopAsking = clock.every(askEveryMs, () => void ask());
    void ask();
  };

  const stop = async (): Promise<void> => {
    stopAsking();
    await services.stop();
    node.close();
  };

  const updateNode = async (change: Parameters<typeof node.update>[0]): Promise<void> => {
    await node.update(change);
    onChange();
  };

  return {
    start,
    stop,
    computer,
    farmUrl: services.farmUrl,
    isReady: (): boolean => node.isReachable() && (settings.get().farm.mode === "node" || services.isReady()),
    /** On its own farm the coordinator is told; elsewhere this computer has no say there, so its agent leaves. */
    setLending: async (isLending: boolean): Promise<void> => {
      if (settings.get().farm.mode === "farm") return updateNode({ state: isLending ? "active" : "paused" });
      settings.change({ isLending });
      await services.restartAgent();
      onChange();
    },
    setSlots: async (slots: number): Promise<void> => {
      settings.change({ slots: slots === 0 ? undefined : slots });
      if (settings.get().farm.mode === "farm" && slots > 0 && node.mayChange()) return updateNode({ slots });
      await services.restartAgent();
    },
    setRoots: async (roots: readonly string[]): Promise<void> => {
      settings.change({ roots: [...roots] });
      await services.restartAgent();
      onChange();
    },
    /** Ends the part in one farm and begins the one in another. */
    moveTo: async (farm: Settings["farm"]): Promise<void> => {
      await stop();
      settings.change({ farm, isLending: true });
      start();
      onChange();
    },
  };
};

export type Lender = ReturnType<typeof createLender>;
