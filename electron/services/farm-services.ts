import { join } from "node:path";
import type { Clock } from "../../shared/basics/clock.ts";
import { decodeJoinToken } from "../../shared/credentials/join-token.ts";
import type { LendingReport } from "../../shared/lending/lending.ts";
import { toDashboardUrl } from "../addresses/farm-address.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { SettingsStore } from "../desktop/settings.ts";
import { superviseService } from "./service.ts";
import type { AgentOrder, Ready, ServiceMessage } from "./service-messages.ts";

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

  const hearCoordinator = (message: ServiceMessage): void => {
    if (message.type !== "ready") return;
    const isMoved = ready !== undefined && ready.joinToken !== message.joinToken;
    ready = message;
    needs.onReady(message);
    if (isMoved) void restartAgent();
    else startAgent();
  };

  const hearAgent = (message: ServiceMessage): void => {
    if (message.type === "connected") needs.onConnected(message.nodeId);
    if (message.type === "lending") needs.onReport(message.report);
    if (message.type === "pressSpent") settings.change({ press: null });
  };

  const supervised = { desktop, clock, onChange };
  const coordinator = superviseService({ ...supervised, name: "coordinator", onTold: hearCoordinator });
  const agent = superviseService({ ...supervised, name: "agent", onTold: hearAgent });

  const startAgent = (): void => {
    const order = agentStart(needs, ready?.joinToken);
    if (order) agent.start(order);
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
      return farm.mode === "node" ? toDashboardUrl(farm.joinToken) : ready?.dashboardUrl;
    },
    start: (): void => {
      const { farm } = settings.get();
      if (farm.mode === "node") startAgent();
      if (farm.mode !== "farm") return;
      const dataDir = join(dataFolder, "coordinator");
      coordinator.start({ type: "start", dataDir, credentialsKey: dataFolder, port: farm.port });
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

/** The first message to an agent; undefined until it is known which farm it joins. */
const agentStart = ({ settings, dataFolder, resourcesDir }: FarmServicesNeeds, ownToken: string | undefined) => {
  const { farm, roots, slots, lending, press } = settings.get();
  const token = farm.mode === "node" ? farm.joinToken : ownToken;
  if (token === undefined) return undefined;
  return {
    type: "start",
    dataDir: join(dataFolder, farm.mode === "farm" ? "agent" : agentFolderOf(token)),
    joinToken: token,
    roots: roots ?? [],
    slots,
    resourcesDir,
    lending,
    press: press ?? undefined,
  };
};

/** One folder per farm: reports of one must never reach another. */
const agentFolderOf = (joinToken: string): string =>
  `agent-${decodeJoinToken(joinToken).farmId.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
