import { type Client, createClient } from "../../shared/api/client.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { Access } from "../services/service-messages.ts";
import type { Facts } from "./wording.ts";

type NodeChange = { readonly state?: "active" | "paused"; readonly slots?: number };

/** This computer's node as its farm knows it; on its own farm the app may also change it. */
export const createOwnNode = (send: typeof fetch) => {
  let client: Client | undefined;
  let id: number | undefined;
  let known: Facts["node"];
  let isReachable = true;

  const look = async (farmUrl: string): Promise<void> => {
    if (client && id !== undefined) known = await fetchNode(client, id);
    else await fetchHealth(send, farmUrl);
  };

  return {
    id: () => id,
    known: () => known,
    isReachable: () => isReachable,
    mayChange: () => client !== undefined && id !== undefined,
    /** Access is null if this user's credentials for the farm are lost. */
    open: (access: Access | null): void => {
      client = access ? createClient({ ...access, fetch: send }) : undefined;
      isReachable = true;
    },
    connected: (nodeId: number): void => {
      id = nodeId;
    },
    /** The agent left, so its known state is outdated. */
    disconnected: (): void => {
      [id, known] = [undefined, undefined];
    },
    close: (): void => {
      [client, id, known, isReachable] = [undefined, undefined, undefined, true];
    },
    /** Asks the farm for this computer's state. */
    ask: async (farmUrl: string): Promise<void> => {
      try {
        await look(farmUrl);
        isReachable = true;
      } catch {
        isReachable = false; // whatever the reason is, nobody answers as a coordinator does
      }
    },
    update: async (change: NodeChange): Promise<void> => {
      if (id === undefined) throw new AppError("UNAVAILABLE", "This computer is not connected to its farm yet");
      if (!client) throw new AppError("NOT_AUTHENTICATED", lostAccess);
      const { state, running } = await client.updateNode({ node_id: String(id), ...change });
      known = { state, running: running.length };
    },
  };
};

const lostAccess =
  "The farm's credentials are no longer in this user's configuration folder, so the app cannot change its node. Pause it on the Nodes page";

const fetchNode = async (client: Client, nodeId: number): Promise<Facts["node"]> => {
  const { items } = await client.listNodes({});
  const own = items.find(({ id }) => id === String(nodeId));
  return own && { state: own.state, running: own.running.length };
};

/** A coordinator that takes longer than this to answer counts as unreachable. */
const patienceMs = 5000;

const fetchHealth = async (send: typeof fetch, url: string): Promise<void> => {
  const response = await send(new URL("/healthz", url), { signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) throw new AppError("UNAVAILABLE", `The coordinator answered ${response.status}`);
};
