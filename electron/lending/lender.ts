import { hostname } from "node:os";
import type { Computer } from "../shared/ipc.ts";
import type { LendingReport } from "../shared/lending.ts";
import { makeMediaFolder } from "./default-folders.ts";
import type { Desktop } from "./desktop.ts";
import { fetchFromFarm, pinnedFarm } from "./farm-certificate.ts";
import { createFarmServices, type FarmServicesNeeds } from "./farm-services.ts";
import { createLenderControls } from "./lender-controls.ts";
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

  const computer = (): Omit<Computer, "update"> => ({
    ...{
      version: desktop.version,
      platform: desktop.platform,
      name: hostname(),
      nodeId: node.id() ?? null,
      dataFolder,
    },
    ...viewOf(facts()),
    ...ownChoices(settings.get()),
  });

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
    ...createLenderControls({ settings, services, node, onChange }),
    /** Leaves one farm and joins another. */
    moveTo: async (farm: Settings["farm"]): Promise<void> => {
      await stop();
      settings.change({ farm, press: null });
      start();
      onChange();
    },
  };
};

const viewOf = (facts: Facts) => ({
  mode: facts.mode,
  farm: facts.farmUrl === undefined ? null : hostOf(facts.farmUrl),
  state: stateOf(facts),
  title: titleOf(facts),
  words: sentenceOf(facts),
  report: facts.report ?? null,
});

const ownChoices = ({ roots = [], slots, lending, press, startAtLogin, notices }: Settings) => ({
  ...{ rules: lending, press, roots, slots: slots ?? null, startAtLogin, notices },
});

export type Lender = ReturnType<typeof createLender>;
