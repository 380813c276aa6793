import { join } from "node:path";
import type { Clock } from "../shared/clock.ts";
import { decodeJoinToken } from "../shared/join-token.ts";
import type { LendingReport } from "../shared/lending.ts";
import type { Desktop } from "./desktop.ts";
import { dashboardOf } from "./origin.ts";
import type { AgentOrder, Ready, Told } from "./service-messages.ts";
import { superviseService } from "./services.ts";
import type { SettingsStore } from "./settings.ts";

export type FarmServicesNeeds = {
  readonly desktop: Pick<Desktop, "startService">;
  readonly clock: Clock;
  readonly settings: SettingsStore;
  /** The farm's data folder, the same that `mediafarm up` uses. */
  readonly dataFolder: string;
  /** A packaged app's folder with its own ffmpeg. */
  readonly resourcesDir: string | undefined;
  readonly onReady: (ready: Ready) => void;
  readonly onConnected: (nodeId: number) => void;
  readonly onAgentLeft: () => void;
  readonly onReport: (report: LendingReport) => void;
  readonly onChange: () => void;
};

/** The processes behind the app: this computer's agent, and a coordinator if the farm runs here. */
export const createFarmServices = (needs: FarmServicesNeeds) => {
  const { desktop, clock, settings, dataFolder, onChange } = needs;
  let ready: Ready | undefined;

  const hearCoordinator = (message: Told): void => {
    if (message.type !== "ready") return;
    const isMoved = ready !== undefined && ready.joinToken !== message.joinToken;
    ready = message;
    needs.onReady(message);
    if (isMoved) void restartAgent();
    else startAgent();
  };

  const hearAgent = (message: Told): void => {
    if (message.type === "connected") needs.onConnected(message.nodeId);
    if (message.type === "lending") needs.onReport(message.report);
    if (message.type === "pressSpent") settings.change({ press: null });
  };

  const supervised = { desktop, clock, onChange };
  const coordinator = superviseService({ ...supervised, name: "coordinator", onTold: hearCoordinator });
  const agent = superviseService({ ...supervised, name: "agent", onTold: hearAgent });

  const startCoordinator = (port: number): void =>
    coordinator.start({
      type: "start",
      dataDir: join(dataFolder, "coordinator"),
      credentialsKey: dataFolder,
      port,
    });

  const startAgent = (): void => {
    const { farm, roots, slots, lending, press } = settings.get();
    const token = farm.mode === "node" ? farm.joinToken : ready?.joinToken;
    if (token === undefined) return;
    agent.start({
      type: "start",
      dataDir: join(dataFolder, farm.mode === "farm" ? "agent" : agentFolderOf(token)),
      joinToken: token,
      roots: roots ?? [],
      slots,
      resourcesDir: needs.resourcesDir,
      lending,
      press: press ?? undefined,
    });
  };

  const restartAgent = async (): Promise<void> => {
    needs.onAgentLeft();
    await agent.stop();
    startAgent();
  };

  return {
    coordinator,
    agent,
    isReady: () => ready !== undefined,
    /** The address of the farm's dashboard; undefined until its coordinator reports it. */
    farmUrl: (): string | undefined => {
      const { farm } = settings.get();
      return farm.mode === "node" ? dashboardOf(farm.joinToken) : ready?.dashboardUrl;
    },
    start: (): void => {
      const { farm } = settings.get();
      if (farm.mode === "node") startAgent();
      if (farm.mode === "farm") startCoordinator(farm.port);
    },
    restartAgent,
    tellAgent: (order: AgentOrder): void => agent.tell(order),
    stop: async (): Promise<void> => {
      await agent.stop();
      await coordinator.stop();
      ready = undefined;
    },
  };
};

/** One folder per farm: reports of one must never reach another. */
const agentFolderOf = (joinToken: string): string =>
  `agent-${decodeJoinToken(joinToken).farmId.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
