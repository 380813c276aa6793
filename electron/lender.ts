import { hostname } from "node:os";
import type { Computer } from "../shared/ipc.ts";
import type { LendingReport, LendingRules, Press } from "../shared/lending.ts";
import { makeMediaFolder } from "./default-folders.ts";
import type { Desktop } from "./desktop.ts";
import { fetchFromFarm, pinnedFarm } from "./farm-certificate.ts";
import { createFarmServices, type FarmServicesNeeds } from "./farm-services.ts";
import { createOwnNode } from "./own-node.ts";
import { createOwnerWatch } from "./owner-watch.ts";
import type { Settings } from "./settings.ts";
import { type Facts, hostOf, sentenceOf, stateOf, titleOf } from "./words.ts";

/** How often the app asks the farm for this computer's state. */
export const askEveryMs = 5000;

export type LenderNeeds = Omit<
  FarmServicesNeeds,
  "desktop" | "onReady" | "onConnected" | "onAgentLeft" | "onReport"
> & {
  readonly desktop: Pick<Desktop, "startService" | "version" | "platform" | "idleMs" | "isOnBattery" | "onSleep">;
  readonly home: string;
  readonly fetch: typeof fetch;
};

/** This computer's part in its farm: the services for it, and its known state. */
export const createLender = (needs: LenderNeeds) => {
  const { desktop, clock, settings, dataFolder, onChange } = needs;
  const node = createOwnNode(fetchFromFarm(needs.fetch, () => pinnedFarm(needs.settings.get()), needs.clock.now));
  let report: LendingReport | undefined;
  const services = createFarmServices({
    ...needs,
    onReady: ({ access }) => node.open(access),
    onConnected: (nodeId) => {
      node.connected(nodeId);
      void ask();
    },
    onAgentLeft: () => {
      node.disconnected();
      report = undefined;
    },
    onReport: (told) => {
      report = told;
      onChange();
    },
  });
  const watch = createOwnerWatch({
    desktop,
    clock,
    tell: (sense) => services.tellAgent({ type: "sense", sense }),
  });
  let stopLooking = () => {};
  /** While an update waits, nothing new starts here. */
  let isDraining = false;

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
    report,
    node: node.known(),
    isReachable: node.isReachable(),
    isConnected: node.id() !== undefined,
    farmUrl: services.farmUrl(),
    now: clock.now(),
  });

  const computer = (): Omit<Computer, "update"> => {
    const now = facts();
    const { roots = [], slots, lending, press, startAtLogin, notices } = settings.get();
    return {
      version: desktop.version,
      platform: desktop.platform,
      name: hostname(),
      mode: now.mode,
      farm: now.farmUrl === undefined ? null : hostOf(now.farmUrl),
      state: stateOf(now),
      title: titleOf(now),
      words: sentenceOf(now),
      rules: lending,
      press,
      report: report ?? null,
      nodeId: node.id() ?? null,
      roots,
      slots: slots ?? null,
      dataFolder,
      startAtLogin,
      notices,
    };
  };

  const start = (): void => {
    if (settings.get().roots === undefined) settings.change({ roots: [makeMediaFolder(needs.home)] });
    services.start();
    const stopWatching = watch.start();
    const stopAsking = clock.every(askEveryMs, () => void ask());
    stopLooking = () => {
      stopWatching();
      stopAsking();
    };
    void ask();
  };

  const stop = async (): Promise<void> => {
    stopLooking();
    await services.stop();
    node.close();
    report = undefined;
  };

  const tellRules = (): void => {
    const { lending, press } = settings.get();
    const held: LendingRules = isDraining ? { ...lending, lend: "never", onReturn: "finish" } : lending;
    services.tellAgent({ type: "rules", lending: held, press: press ?? undefined });
    onChange();
  };

  return {
    start,
    stop,
    computer,
    running: (): number => report?.running.length ?? 0,
    isWorking: (): boolean => (report?.running.length ?? 0) > 0 && report?.standing.isSuspended === false,
    farmUrl: services.farmUrl,
    isReady: (): boolean => {
      const { mode } = settings.get().farm;
      return mode !== "none" && node.isReachable() && (mode === "node" || services.isReady());
    },
    setRules: (rules: LendingRules): void => {
      settings.change({ lending: rules });
      tellRules();
    },
    press: (press: Press | null): void => {
      settings.change({ press });
      tellRules();
    },
    /** Running tasks finish and no new ones start, until this is undone. */
    drain: (isWanted: boolean): void => {
      isDraining = isWanted;
      tellRules();
    },
    setSlots: async (slots: number): Promise<void> => {
      settings.change({ slots: slots === 0 ? undefined : slots });
      if (settings.get().farm.mode === "farm" && slots > 0 && node.mayChange()) {
        await node.update({ slots });
        return onChange();
      }
      await services.restartAgent();
    },
    setRoots: async (roots: readonly string[]): Promise<void> => {
      settings.change({ roots: [...roots] });
      await services.restartAgent();
      onChange();
    },
    /** Leaves one farm and joins another. */
    moveTo: async (farm: Settings["farm"]): Promise<void> => {
      await stop();
      settings.change({ farm, press: null });
      start();
      onChange();
    },
  };
};

export type Lender = ReturnType<typeof createLender>;
