import type { Lending } from "../shared/ipc.ts";
import type { ServiceState } from "./services.ts";

/** All that decides how this computer's lending reads. */
export type Facts = {
  readonly mode: "farm" | "node";
  readonly coordinator: ServiceState;
  readonly agent: ServiceState;
  readonly problem: string | undefined;
  /** What the user of a computer that joined a farm asked for. */
  readonly isLending: boolean;
  /** What the farm knows of this node, in farm mode. */
  readonly node: { readonly state: "active" | "drain" | "paused"; readonly running: number } | undefined;
  readonly isReachable: boolean;
  readonly isConnected: boolean;
  readonly farmUrl: string | undefined;
};

/** The first rule that holds decides. */
export const lendingOf = (facts: Facts): Lending => rules.find(([, holds]) => holds(facts))?.[0] ?? "starting";

const rules: readonly (readonly [Lending, (facts: Facts) => boolean])[] = [
  ["stopped", ({ coordinator, agent, problem }) => problem !== undefined && [coordinator, agent].includes("waiting")],
  ["paused", ({ mode, isLending }) => mode === "node" && !isLending],
  ["starting", ({ mode, coordinator }) => mode === "farm" && coordinator !== "running"],
  ["unreachable", ({ isReachable }) => !isReachable],
  ["starting", ({ isConnected, agent }) => !isConnected || agent !== "running"],
  ["paused", ({ node }) => node !== undefined && node.state !== "active"],
  ["lending", () => true],
];

/** One word or two for the tray. */
export const stateWords: Readonly<Record<Lending, string>> = {
  starting: "Starting",
  lending: "Lending",
  paused: "Paused",
  unreachable: "Coordinator unreachable",
  stopped: "Stopped",
};

/** What is so, why, and what happens next. */
export const sentenceOf = (facts: Facts): string => {
  const { mode, node, problem, farmUrl } = facts;
  const host = farmUrl ? new URL(farmUrl).host : "the farm";
  switch (lendingOf(facts)) {
    case "stopped":
      return `${problem}. It is started again by itself.`;
    case "starting":
      return mode === "farm" ? "The farm is starting." : `Connecting to the farm at ${host}.`;
    case "unreachable":
      return `No coordinator answers at ${host}. What runs here goes on and is handed in when it is back.`;
    case "paused":
      if (!node || node.running === 0) return "Paused: nothing runs here and nothing new starts.";
      return `Paused: ${tasks(node.running)} here to the end, and nothing new starts.`;
    case "lending":
      if (!node) return `This computer is lent to the farm at ${host}.`;
      return node.running === 0 ? "Lent, and idle." : `Lent: ${tasks(node.running)} here.`;
  }
};

const tasks = (count: number): string => (count === 1 ? "1 task runs" : `${count} tasks run`);

/** What pausing does, said before it is done. */
export const pauseWordsOf = (mode: Facts["mode"]): string =>
  mode === "farm"
    ? "Tasks that run here are finished; no new ones start."
    : "Tasks that run here end at once, and the farm starts them on other computers.";
