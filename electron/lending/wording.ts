import type { ComputerState } from "../../shared/desktop/ipc.ts";
import type { LendingReport } from "../../shared/lending/lending.ts";
import type { EnrolledState } from "../../shared/state/node.ts";
import type { ServiceState } from "../services/service.ts";

/** Everything that determines how this computer's state is worded. */
export type Facts = {
  readonly mode: "none" | "farm" | "node";
  readonly coordinator: ServiceState;
  readonly agent: ServiceState;
  readonly problem: string | undefined;
  /** The agent's lending report. */
  readonly report: LendingReport | undefined;
  /** The farm's view of this node, in farm mode. */
  readonly node: { readonly state: EnrolledState; readonly running: number } | undefined;
  readonly isReachable: boolean;
  readonly isConnected: boolean;
  readonly farmUrl: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** The first matching rule decides. */
export const computerState = (facts: Facts): ComputerState =>
  rules.find(([, holds]) => holds(facts))?.[0] ?? facts.report?.standing.state ?? "lending";

const rules: readonly (readonly [ComputerState, (facts: Facts) => boolean])[] = [
  ["new", ({ mode }) => mode === "none"],
  ["failed", ({ coordinator, agent, problem }) => problem !== undefined && [coordinator, agent].includes("waiting")],
  ["starting", ({ mode, coordinator }) => mode === "farm" && coordinator !== "running"],
  ["unreachable", ({ isReachable }) => !isReachable],
  ["starting", ({ isConnected, agent }) => !isConnected || agent !== "running"],
  // An operator's pause is mentioned only if the owner would lend.
  ["paused", ({ node, report }) => node !== undefined && node.state !== "active" && report?.standing.takes !== false],
];

/** The state in a few words: the tray's first line and the page's headline. */
export const stateTitle = (facts: Facts): string => {
  const state = computerState(facts);
  const running = countRunning(facts);
  if (state === "lending") return running === 0 ? "Lending, no tasks now" : `Lending, ${tasks(running)}`;
  if (state !== "soon") return titles[state];
  const { until } = facts.report?.standing ?? {};
  return until ? `Lending starts in ${Math.max(0, Math.round((until - facts.now) / 1000))} s` : "Lending starts soon";
};

const titles: Readonly<Record<Exclude<ComputerState, "lending" | "soon">, string>> = {
  new: "Not part of a farm yet",
  starting: "Starting",
  unreachable: "Coordinator unreachable",
  failed: "Not running",
  paused: "Paused by an operator",
  inUse: "In use by you",
  busy: "Other programs are busy",
  outOfHours: "Outside your hours",
  stopped: "Lending is stopped",
  never: "This computer does not lend",
  fullScreen: "A program fills the screen",
  battery: "On battery",
  diskLow: "Paused itself: the disk is nearly full",
  asleep: "Asleep",
};

/** Why, and what happens next. */
export const describeState = (facts: Facts): string => {
  const { mode, problem, farmUrl } = facts;
  const host = readHost(farmUrl);
  switch (computerState(facts)) {
    case "new":
      return "Start a farm here, or join one.";
    case "failed":
      return `${problem}. It restarts automatically.`;
    case "starting":
      return mode === "farm" ? "The farm is starting." : `Connecting to the farm at ${host}.`;
    case "unreachable":
      return `No coordinator answers at ${host}. ${afterwards(countRunning(facts))}`;
    case "paused":
      return "Running tasks finish, and no new ones start.";
    case "lending":
      return "Tasks run at low priority.";
    case "soon":
      return "Nobody has used this computer for a while.";
    default:
      return `${facts.report?.standing.why ?? ""}. ${fateOf(facts)}`.trim();
  }
};

const afterwards = (running: number): string =>
  running === 0
    ? "This computer reconnects automatically."
    : `${running === 1 ? "1 task continues" : `${running} tasks continue`}. Results are kept here and reported later.`;

/** What happens to the tasks on this computer. */
const fateOf = (facts: Facts): string => {
  const count = countRunning(facts);
  if (count === 0) return "Nothing runs here.";
  if (facts.report?.standing.isSuspended) return `${count === 1 ? "1 task is" : `${count} tasks are`} suspended.`;
  return `${count === 1 ? "1 task finishes" : `${count} tasks finish`}, and no new ones start.`;
};

export const readHost = (farmUrl: string | undefined): string => (farmUrl ? new URL(farmUrl).host : "the farm");

export const countRunning = ({ report, node }: Facts): number => report?.running.length ?? node?.running ?? 0;

const tasks = (count: number): string => (count === 1 ? "1 task" : `${count} tasks`);
