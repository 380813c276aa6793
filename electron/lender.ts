import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "../shared/client.ts";
import type { Clock } from "../shared/clock.ts";
import { AppError, messageOf } from "../shared/errors.ts";
import type { Computer } from "../shared/ipc.ts";
import { decodeJoinToken } from "../shared/join-token.ts";
import { defaultMediaFolder } from "./default-folders.ts";
import type { Desktop } from "./desktop.ts";
import { dashboardOf } from "./origin.ts";
import type { Ready, Told } from "./service-messages.ts";
import { superviseService } from "./services.ts";
import type { Settings, SettingsStore } from "./settings.ts";
import { type Facts, lendingOf, pauseWordsOf, sentenceOf } from "./words.ts";

/** How often the farm is asked how this computer stands in it. */
export const askEveryMs = 5000;

export type LenderNeeds = {
  readonly desktop: Pick<Desktop, "startService" | "version" | "platform">;
  readonly clock: Clock;
  readonly settings: SettingsStore;
  /** Where the farm's data lies, the same folder that `mediafarm up` uses. */
  readonly dataFolder: string;
  readonly home: string;
  /** A packaged app's folder with its own ffmpeg. */
  readonly resourcesDir: string | undefined;
  readonly fetch: typeof fetch;
  readonly onChange: () => void;
};

/** This computer's part in its farm: the services it needs for that, and what is known of it. */
export const createLender = (needs: LenderNeeds) => {
  const { desktop, clock, settings, dataFolder, onChange } = needs;
  let ready: Ready | undefined;
  let client: Client | undefined;
  let nodeId: number | undefined;
  let node: Facts["node"];
  let isReachable = true;
  let stopAsking = () => {};

  const hearCoordinator = (message: Told): void => {
    if (message.type !== "ready") return;
    const isMoved = ready !== undefined && ready.joinToken !== message.joinToken;
    ready = message;
    client = message.access ? createClient({ ...message.access, fetch: needs.fetch }) : undefined;
    isReachable = true;
    if (isMoved) void restartAgent();
    else startAgent();
  };

  const hearAgent = (message: Told): void => {
    if (message.type !== "connected") return;
    nodeId = message.nodeId;
    void ask();
  };

  const supervised = { desktop, clock, onChange };
  const coordinator = superviseService({ ...supervised, name: "coordinator", onTold: hearCoordinator });
  const agent = superviseService({ ...supervised, name: "agent", onTold: hearAgent });

  const joinToken = (): string | undefined => {
    const { farm } = settings.get();
    return farm.mode === "node" ? farm.joinToken : ready?.joinToken;
  };

  const startAgent = (): void => {
    const token = joinToken();
    if (token === undefined) return;
    const { farm, roots, slots, isLending } = settings.get();
    if (farm.mode === "node" && !isLending) return;
    agent.start({
      type: "start",
      dataDir: join(dataFolder, farm.mode === "farm" ? "agent" : agentFolderOf(token)),
      joinToken: token,
      roots: roots ?? [],
      slots,
      resourcesDir: needs.resourcesDir,
    });
  };

  const restartAgent = async (): Promise<void> => {
    nodeId = undefined;
    node = undefined;
    await agent.stop();
    startAgent();
  };

  const farmUrl = (): string | undefined => {
    const { farm } = settings.get();
    return farm.mode === "node" ? dashboardOf(farm.joinToken) : ready?.dashboardUrl;
  };

  const facts = (): Facts => ({
    mode: settings.get().farm.mode,
    coordinator: coordinator.state(),
    agent: agent.state(),
    problem: coordinator.problem() ?? agent.problem(),
    isLending: settings.get().isLending,
    node,
    isReachable,
    isConnected: nodeId !== undefined,
    farmUrl: farmUrl(),
  });

  const ask = async (): Promise<void> => {
    const url = farmUrl();
    if (url === undefined) return;
    try {
      if (client && nodeId !== undefined) node = await askForNode(client, nodeId);
      else await askForHealth(needs.fetch, url);
      isReachable = true;
    } catch {
      isReachable = false; // whatever the reason is, nobody answers as a coordinator does
    }
    onChange();
  };

  const start = (): void => {
    const { farm, roots } = settings.get();
    if (roots === undefined) settings.change({ roots: [makeMediaFolder(needs.home)] });
    isReachable = true;
    if (farm.mode === "node") startAgent();
    else {
      coordinator.start({
        type: "start",
        dataDir: join(dataFolder, "coordinator"),
        credentialsKey: dataFolder,
        port: farm.port,
      });
    }
    stopAsking = clock.every(askEveryMs, () => void ask());
    void ask();
  };

  const stop = async (): Promise<void> => {
    stopAsking();
    await agent.stop();
    await coordinator.stop();
    [ready, client, nodeId, node] = [undefined, undefined, undefined, undefined];
  };

  const updateNode = async (change: { state?: "active" | "paused"; slots?: number }): Promise<void> => {
    if (nodeId === undefined) throw new AppError("UNAVAILABLE", "This computer is not connected to its farm yet");
    if (!client) throw new AppError("NOT_AUTHENTICATED", lostAccess);
    const { state, running } = await client.updateNode({ node_id: String(nodeId), ...change });
    node = { state, running: running.length };
    onChange();
  };

  return {
    start,
    stop,
    farmUrl,
    isReady: (): boolean => isReachable && (settings.get().farm.mode === "node" || ready !== undefined),
    computer: (): Computer => {
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
        nodeId: nodeId ?? null,
        roots,
        slots: slots ?? null,
        dataFolder,
      };
    },
    /** On its own farm the coordinator is told; elsewhere this computer has no say there, so its agent leaves. */
    setLending: async (isLending: boolean): Promise<void> => {
      if (settings.get().farm.mode === "farm") return updateNode({ state: isLending ? "active" : "paused" });
      settings.change({ isLending });
      await restartAgent();
      onChange();
    },
    setSlots: async (slots: number): Promise<void> => {
      settings.change({ slots: slots === 0 ? undefined : slots });
      const { farm } = settings.get();
      if (farm.mode === "farm" && slots > 0 && client && nodeId !== undefined) return updateNode({ slots });
      await restartAgent();
    },
    setRoots: async (roots: readonly string[]): Promise<void> => {
      settings.change({ roots: [...roots] });
      await restartAgent();
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

const lostAccess =
  "The farm's credentials are not in this user's configuration folder any more, so the app cannot change its node. Pause it on the Nodes page";

/** A folder a farm: reports of one must never reach another. */
const agentFolderOf = (joinToken: string): string =>
  `agent-${decodeJoinToken(joinToken).farmId.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;

const askForNode = async (client: Client, nodeId: number): Promise<Facts["node"]> => {
  const { items } = await client.listNodes({});
  const own = items.find(({ id }) => id === String(nodeId));
  return own && { state: own.state, running: own.running.length };
};

const askForHealth = async (send: typeof fetch, url: string): Promise<void> => {
  const response = await send(new URL("/healthz", url), { signal: AbortSignal.timeout(askEveryMs) });
  if (!response.ok) throw new AppError("UNAVAILABLE", `The coordinator answered ${response.status}`);
};

const makeMediaFolder = (home: string): string => {
  const folder = defaultMediaFolder(home);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new AppError("UNAVAILABLE", `The media folder ${folder} cannot be made: ${messageOf(cause)}`, { cause });
  }
  return folder;
};
