import { hostname } from "node:os";
import type { Computer } from "../../shared/desktop/ipc.ts";
import type { LendingReport } from "../../shared/lending/lending.ts";
import { makeMediaFolder } from "../desktop/default-folders.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Settings } from "../desktop/settings.ts";
import { fetchFromFarm, pinnedFarm } from "../services/farm-certificate.ts";
import { createFarmServices, type FarmServicesNeeds } from "../services/farm-services.ts";
import { createLenderControls } from "./lender-controls.ts";
import { createOwnNode } from "./own-node.ts";
import { createOwnerWatch } from "./owner-watch.ts";
import { computerState, describeState, type Facts, readHost, stateTitle } from "./wording.ts";

/** How often the app asks the farm for this computer's state. */
export const pollEveryMs = 5000;

export type LenderNeeds = Omit<
  FarmServicesNeeds,
  "desktop" | "onReady" | "onConnected" | "onAgentLeft" | "onReport"
> & {
  readonly desktop: Pick<
    Desktop,
    "startService" | "version" | "locale" | "platform" | "idleMs" | "isOnBattery" | "onSleep"
  >;
  readonly home: string;
  readonly fetch: typeof fetch;
};

/** This computer's part in its farm: the services for it, and its known state. */
export const createLender = (needs: LenderNeeds) => {
  const { desktop, clock, settings, onChange } = needs;
  const { node, services, report, ask } = connectServices(needs);
  const watch = createOwnerWatch({
    desktop,
    clock,
    tell: (sense) => services.tellAgent({ type: "sense", sense }),
  });
  let stopLooking = () => {};

  const start = (): void => {
    if (settings.get().roots === undefined) settings.change({ roots: [makeMediaFolder(needs.home)] });
    services.start();
    const stopWatching = watch.start();
    const stopAsking = clock.every(pollEveryMs, () => void ask());
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
    report.forget();
  };

  return {
    start,
    stop,
    computer: () => describeComputer(needs, { node, services, report }),
    running: (): number => report.last()?.running.length ?? 0,
    isWorking: (): boolean => (report.last()?.running.length ?? 0) > 0 && report.last()?.standing.isSuspended === false,
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

/** The services, this computer's node in the farm, and what its agent last reported. */
const connectServices = (needs: LenderNeeds) => {
  const { onChange } = needs;
  const node = createOwnNode(fetchFromFarm(needs.fetch, () => pinnedFarm(needs.settings.get()), needs.clock.now));
  let report: LendingReport | undefined;
  const forget = (): void => {
    report = undefined;
  };
  const services = createFarmServices({
    ...needs,
    onReady: ({ access }) => node.open(access),
    onConnected: (nodeId) => {
      node.connected(nodeId);
      void ask();
    },
    onAgentLeft: () => {
      node.disconnected();
      forget();
    },
    onReport: (told) => {
      report = told;
      onChange();
    },
  });
  const ask = async (): Promise<void> => {
    const url = services.farmUrl();
    if (url === undefined) return;
    await node.ask(url);
    onChange();
  };
  return { node, services, report: { last: () => report, forget }, ask };
};

type Connected = Pick<ReturnType<typeof connectServices>, "node" | "services" | "report">;

const describeComputer = (
  { desktop, clock, settings, dataFolder }: LenderNeeds,
  { node, services, report }: Connected,
): Omit<Computer, "update"> => {
  const facts: Facts = {
    mode: settings.get().farm.mode,
    coordinator: services.coordinator.state(),
    agent: services.agent.state(),
    problem: services.coordinator.problem() ?? services.agent.problem(),
    report: report.last(),
    node: node.known(),
    isReachable: node.isReachable(),
    isConnected: node.id() !== undefined,
    farmUrl: services.farmUrl(),
    now: clock.now(),
    locale: desktop.locale,
  };
  const machine = { version: desktop.version, platform: desktop.platform, name: hostname() };
  return { ...machine, nodeId: node.id() ?? null, dataFolder, ...viewOf(facts), ...ownChoices(settings.get()) };
};

const viewOf = (facts: Facts) => ({
  mode: facts.mode,
  farm: facts.farmUrl === undefined ? null : readHost(facts.farmUrl),
  state: computerState(facts),
  title: stateTitle(facts),
  words: describeState(facts),
  report: facts.report ?? null,
});

const ownChoices = ({ roots = [], slots, lending, press, startAtLogin, notices }: Settings) => ({
  ...{ rules: lending, press, roots, slots: slots ?? null, startAtLogin, notices },
});

export type Lender = ReturnType<typeof createLender>;
