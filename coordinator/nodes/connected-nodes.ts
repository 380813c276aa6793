import type { CoordinatorMessage } from "../../shared/protocol/messages.ts";
import type { NodeRow } from "../store/rows.ts";
import type { AgentAbout, Connection, NodeEntries, NodeEntry } from "./node-entry.ts";

/** The connections of nodes, and what is sent over them. */
export const createConnections = (entries: NodeEntries, put: (row: NodeRow, now: number) => NodeEntry) => {
  let timesTold = 0;
  return {
    /** A second connection of one identity replaces the first, which is closed. */
    connect: (row: NodeRow, connection: Connection, now: number, instance?: string): void => {
      const entry = put(row, now);
      entry.instance = instance;
      entry.connection?.close();
      entry.connection = connection;
      entry.lastHeard = now;
    },
    introduce: (nodeId: number, about: AgentAbout): void => {
      const entry = entries.get(nodeId);
      if (entry) entry.agent = about;
    },
    agentOf: (nodeId: number): AgentAbout | undefined => entries.get(nodeId)?.agent,
    disconnect: (nodeId: number, connection: Connection): void => {
      const entry = entries.get(nodeId);
      if (entry?.connection === connection) entry.connection = undefined;
    },
    /** The node gets no more work before its next hello; the caller closes its connection. */
    forget: (nodeId: number): Connection | undefined => {
      const entry = entries.get(nodeId);
      const connection = entry?.connection;
      if (entry) entry.connection = undefined;
      return connection;
    },
    isCurrent: (nodeId: number, connection: Connection): boolean => entries.get(nodeId)?.connection === connection,
    /** Whether it may be asked for anything: one that waits for approval may not. */
    isConnected: (nodeId: number): boolean => {
      const entry = entries.get(nodeId);
      return entry?.connection !== undefined && entry.row.state !== "pending";
    },
    /**
     * Whether its word may decide about what is not its own, and whether it may learn secrets for that: one that is in
     * quarantine may only end what it runs.
     */
    isTrusted: (nodeId: number): boolean => {
      const entry = entries.get(nodeId);
      if (entry?.connection === undefined || entry.isRevoking) return false;
      return entry.row.state !== "pending" && entry.row.health.state !== "quarantined";
    },
    send: (nodeId: number, message: CoordinatorMessage): void => entries.get(nodeId)?.connection?.send(message),
    /** Nodes that are not connected learn it from their next welcome. */
    tellAll: (message: CoordinatorMessage): void => {
      timesTold += 1;
      for (const { connection } of entries.values()) connection?.send(message);
    },
    /** How many times all were told something. */
    timesTold: () => timesTold,
    closeAll: (): void => {
      for (const { connection } of entries.values()) connection?.close();
    },
  };
};
